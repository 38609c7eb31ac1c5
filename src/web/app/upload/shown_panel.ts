/**
 * Whether the panel of the queue is shown: not before something is added.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";

/** The panel of the queue, once something was added. */
export const panel = signal<ComponentType | undefined>(undefined);
