/**
 * Work that is done one after the other, in the order in which it was given.
 *
 * @module
 */

/**
 * Makes a function that does each work once those before it have ended, also
 * where they failed. It resolves or rejects as the work does.
 */
export function takingTurns(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
