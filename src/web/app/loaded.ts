/**
 * What a view asks the vault for, and asks again where the library changed.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";

/** What was asked for. */
export interface Loaded<T> {
  /** Absent until it is here; stays while it is asked for again. */
  readonly value: T | undefined;
  /** It is here, also where it is undefined. */
  readonly here: boolean;
  readonly error: unknown;
  readonly again: () => void;
}

/** Asks when it is first drawn and whenever one of `on` is another. */
export function useLoaded<T>(
  load: () => Promise<T>,
  on: readonly unknown[],
): Loaded<T> {
  const [held, setHeld] = useState<
    { readonly value?: T; readonly here: boolean; readonly error?: unknown }
  >({ here: false });
  const [turn, setTurn] = useState(0);
  const last = useRef(0);
  useEffect(() => {
    const mine = ++last.current;
    load().then((value) => {
      if (last.current === mine) setHeld({ value, here: true });
    }, (error) => {
      if (last.current === mine) setHeld((before) => ({ ...before, error }));
    });
  }, [...on, turn]);
  useEffect(() => () => {
    last.current = -1;
  }, []);
  return {
    value: held.value,
    here: held.here,
    error: held.error,
    again: () => setTurn(turn + 1),
  };
}
