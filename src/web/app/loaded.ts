/**
 * Loading what a view needs from the vault, and loading it again when the
 * library changes.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";

/** A value that is being loaded. */
export interface Loaded<T> {
  /** Undefined until it is loaded; stays while it is loaded again. */
  readonly value: T | undefined;
  /** Whether it is loaded, also if it is undefined. */
  readonly here: boolean;
  readonly error: unknown;
  readonly again: () => void;
}

/** Loads at the first drawing and whenever one of `on` changes. */
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
