// Talks to the server. While it does not answer, a request is made again until it does.

const PAUSE = 1000; // milliseconds

/** The server has answered, and said no. */
export class Refused extends Error {
  constructor(status, answer) {
    super(answer.error ?? "The server could not do this.");
    this.status = status;
    this.answer = answer;
  }
}

export const CONFLICT = 409;
const NO_TOKEN = 403;

const AWAY = "The server does not answer. What you have decided is kept here and sent as soon as it is back: "
  + "start it again with the same command.";
const ANOTHER = "The server was started anew. Open the address that it has printed, in this browser: "
  + "this page then goes on by itself.";

/** `trouble` is told what is wrong, and "" when all is well again. */
export function server(trouble) {
  async function once(path, options) {
    const response = await fetch(path, { cache: "no-store", ...options });
    if (response.ok) return response;
    if (response.status === NO_TOKEN) return null;
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    throw new Refused(response.status, isJson ? await response.json() : {});
  }

  /** Until the server answers. */
  async function lasting(path, options) {
    for (let troubled = false; ; troubled = true) {
      let words = AWAY;
      try {
        const response = await once(path, options);
        if (response) {
          if (troubled) trouble("");
          return response;
        }
        words = ANOTHER;
      } catch (error) {
        if (error instanceof Refused) {
          if (troubled) trouble("");
          throw error;
        }
      }
      trouble(words);
      await new Promise((resume) => setTimeout(resume, PAUSE));
    }
  }

  const posted = (body) => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

  return {
    get: async (path) => (await lasting(path)).json(),
    text: async (path) => (await lasting(path)).text(),
    file: async (path) => lasting(path),
    /** Only for what may be done twice. */
    post: async (path, body) => (await lasting(path, posted(body))).json(),
    /** For what may not: where there is no answer, nobody knows whether it was done. */
    postOnce: async (path, body) => {
      await lasting("/run");
      return (await once(path, posted(body)))?.json();
    },
  };
}
