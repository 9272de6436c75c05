// The name of a tab, by which it takes back what was decided in it: after a reload or a crash, too.

const PATIENCE = 500; // milliseconds, until a page that is loaded anew has given its name free

/** The name that the tab has had. A copy of a tab has the same: who holds its lock keeps it. */
export async function nameOfTab() {
  sessionStorage.tab ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
  if (await isHeld(sessionStorage.tab)) return sessionStorage.tab;
  delete sessionStorage.tab;
  return nameOfTab();
}

/** Hold a name for as long as the page is open. */
function isHeld(name) {
  // Browsers have locks on this machine alone, and not for a plain address of another.
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    const forGood = () => {
      resolve(true);
      return new Promise(() => {});
    };
    navigator.locks.request(name, { signal: AbortSignal.timeout(PATIENCE) }, forGood).catch(() => resolve(false));
  });
}
