// Requests to the server. While it does not answer, a request is repeated.

const PAUSE = 1000; // milliseconds

/** The server has answered with an error. */
export class Refused extends Error {
  constructor(status, answer) {
    super(answer.error ?? "The server could not do this.");
    this.status = status;
    this.answer = answer;
  }
}

export const CONFLICT = 409;
const NO_TOKEN = 403;

const AWAY = "The server does not answer. Your last decision is kept here and sent when the server is back: "
  + "start it again with the same command.";
const ANOTHER = "The server was restarted. Open the address that it has printed in this browser: "
  + "then this page continues automatically.";

/** `report` is called with a description of a problem, and with "" when it is solved. */
export function connect(report) {
  async function askOnce(path, options) {
    const response = await fetch(path, { cache: "no-store", ...options });
    if (response.ok) return response;
    if (response.status === NO_TOKEN) return null;
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    throw new Refused(response.status, isJson ? await response.json() : {});
  }

  /** Repeat a request until the server answers. */
  async function askUntilAnswered(path, options) {
    for (let hasFailed = false; ; hasFailed = true) {
      let words = AWAY;
      try {
        const response = await askOnce(path, options);
        if (response) {
          if (hasFailed) report("");
          return response;
        }
        words = ANOTHER;
      } catch (error) {
        if (error instanceof Refused) {
          if (hasFailed) report("");
          throw error;
        }
      }
      report(words);
      await new Promise((resume) => setTimeout(resume, PAUSE));
    }
  }

  const makePost = (body) => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

  return {
    get: async (path) => (await askUntilAnswered(path)).json(),
    text: async (path) => (await askUntilAnswered(path)).text(),
    file: async (path) => askUntilAnswered(path),
    /** Only for requests that may be repeated. */
    post: async (path, body) => (await askUntilAnswered(path, makePost(body))).json(),
    /** For requests that may not be repeated: without an answer, it is unknown whether they were done. */
    postOnce: async (path, body) => {
      await askUntilAnswered("/run");
      return (await askOnce(path, makePost(body)))?.json();
    },
  };
}
