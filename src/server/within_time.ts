/** Whether work ends before that time (ms) is over and nothing cuts it short. */
export async function endsWithin(
  ms: number,
  work: Promise<unknown>,
  cutShort: Promise<unknown> = new Promise<never>(() => {}),
): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const ended = await Promise.race([
    work.then(() => true),
    over.then(() => false),
    cutShort.then(() => false),
  ]);
  clearTimeout(timer);
  return ended;
}
