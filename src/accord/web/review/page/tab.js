// The name of a tab, by which its decisions can be undone, even after a reload or a crash.

const PATIENCE = 500; // milliseconds, until a reloaded page has released its name

/** Return the name of the tab. A copy of a tab has the same name: the one that holds its lock keeps it. */
export async function nameOfTab() {
  sessionStorage.tab ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
  if (await holdName(sessionStorage.tab)) return sessionStorage.tab;
  delete sessionStorage.tab;
  return nameOfTab();
}

/** Hold a name while the page is open; return whether that was possible. */
function holdName(name) {
  // Browsers have locks only in secure contexts, which http addresses of other machines are not.
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    const keepForever = () => {
      resolve(true);
      return new Promise(() => {});
    };
    navigator.locks.request(name, { signal: AbortSignal.timeout(PATIENCE) }, keepForever).catch(() => resolve(false));
  });
}
