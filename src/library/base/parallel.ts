/**
 * Working on items in parallel, with a bound.
 *
 * @module
 */

/**
 * Works on every item, at most `atOnce` at a time, and returns the results in
 * the order of the items. After the first failure no other item is begun; work
 * under way is waited for.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  let failed = false;
  const worker = async () => {
    for (const [index, item] of queue) {
      if (failed) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = Array.from(
    { length: Math.min(atOnce, items.length) },
    worker,
  );
  const ended = await Promise.allSettled(workers);
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return results;
}
