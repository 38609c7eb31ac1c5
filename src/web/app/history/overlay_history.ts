/**
 * What Back closes before it leaves: a dialog, a sheet, a menu, a selection.
 * Each has an entry of its own in the history while it is open, at the address
 * that was there.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import { now } from "../../browser.ts";
import { stateHere } from "./scrolled.ts";

interface Layer {
  readonly id: string;
  readonly hash: string;
  readonly close: () => void;
}

/**
 * A browser that was asked to go back does so within so many steps of time, a
 * busy phone too: one that did so later would close what was opened since. A
 * page that stood still for long has taken one step, and not all of them.
 */
const PATIENCE = { steps: 20, ms: 250 } as const;

/** What is open, in the order of its entries. */
let layers: readonly Layer[] = [];
let count = 0;
/** An entry that is being left: nothing else may move meanwhile. */
let leaving: Promise<void> | undefined;

/** The layer whose entry one is at. */
const here = () => stateHere().layer;

/** Closes what Back left, and steps over entries of what is closed already. */
function settle(): void {
  const at = here();
  const reached = layers.findIndex(({ id }) => id === at);
  for (const layer of layers.slice(reached + 1)) {
    if (layer.hash === location.hash) end(layer);
  }
  if (at !== undefined && reached < 0) leave();
}

function end(layer: Layer): void {
  layers = layers.filter((one) => one !== layer);
  layer.close();
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
    const enter = async () => {
      // What closes in the same moment leaves first.
      do await leaving; while (leaving !== undefined);
      if (isEnded || location.hash !== layer.hash) return;
      layers = [...layers, layer];
      history.pushState({ ...stateHere(), layer: id }, "");
    };
    enter();
    return () => {
      isEnded = true;
      // Back, or who went elsewhere, has left its entry already.
      if (!layers.includes(layer)) return;
      layers = layers.filter((one) => one !== layer);
      if (here() === id) leave();
    };
  }, [isOpen]);
}

/**
 * Closes what is open here, and moves in the history after that: at once where
 * nothing is open.
 */
export function onceLeft(move: () => void): void {
  const at = here();
  const layer = layers.find(({ id }) => id === at);
  if (leaving === undefined && layer === undefined) return move();
  if (leaving === undefined && layer !== undefined) {
    end(layer);
    leave();
  }
  leaving?.then(() => onceLeft(move));
}

/** Whether an entry is being left, which a browser does a moment later. */
export function isLeaving(): boolean {
  return leaving !== undefined;
}

function leave(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  leaving = promise;
  const left = () => {
    // Another one may be left by now.
    if (leaving === promise) leaving = undefined;
    resolve();
  };
  addEventListener("popstate", left, { once: true });
  const wait = (steps: number) => {
    if (leaving !== promise) return;
    if (steps === 0) return left();
    setTimeout(() => wait(steps - 1), PATIENCE.ms);
  };
  wait(PATIENCE.steps);
  history.back();
}
