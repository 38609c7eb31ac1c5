/**
 * What Back closes before it leaves: a sheet, a selection. Each has an entry of
 * its own in the history while it is open, at the address that was there.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import { now } from "../browser.ts";

interface Layer {
  readonly id: string;
  readonly hash: string;
  readonly close: () => void;
}

/** A browser that was asked to go back does so within that time. */
const PATIENCE_MS = 500;

let layers: readonly Layer[] = [];
let count = 0;
/** An entry that is being left: nothing else may move meanwhile. */
let leaving: Promise<void> = Promise.resolve();

/** The layer whose entry one is at. */
function here(): string | undefined {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null) return undefined;
  return "layer" in state && typeof state.layer === "string"
    ? state.layer
    : undefined;
}

/** Closes what Back left, and steps over entries of what is closed already. */
function settle(): void {
  const at = here();
  for (const layer of layers) {
    if (layer.id === at || layer.hash !== location.hash) continue;
    layers = layers.filter((one) => one !== layer);
    layer.close();
  }
  const isLeft = at !== undefined && layers.every(({ id }) => id !== at);
  if (isLeft) history.back();
}

addEventListener("popstate", settle);
// A reload keeps the entry, and not what was open.
settle();

/** For as long as it is open, Back closes it and does nothing else. */
export function useLayer(isOpen: boolean, close: () => void): void {
  const held = useRef(close);
  held.current = close;
  useEffect(() => {
    if (!isOpen) return;
    const id = `${now()}-${++count}`;
    let isEnded = false;
    const layer = { id, hash: location.hash, close: () => held.current() };
    leaving.then(() => {
      if (isEnded || location.hash !== layer.hash) return;
      layers = [...layers, layer];
      history.pushState({ layer: id }, "");
    });
    return () => {
      isEnded = true;
      layers = layers.filter((one) => one !== layer);
      if (here() === id) leaving = left();
    };
  }, [isOpen]);
}

/** Closes what is open here, and resolves once one may go elsewhere. */
export async function leaveLayer(): Promise<void> {
  await leaving;
  const at = here();
  const layer = layers.find(({ id }) => id === at);
  if (layer === undefined) return;
  layers = layers.filter((one) => one !== layer);
  layer.close();
  leaving = left();
  await leaving;
}

function left(): Promise<void> {
  return new Promise((resolve) => {
    addEventListener("popstate", () => resolve(), { once: true });
    setTimeout(resolve, PATIENCE_MS);
    history.back();
  });
}
