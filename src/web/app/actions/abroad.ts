/**
 * The actions on photos of albums of other servers, which are nobody's here.
 *
 * @module
 */
import { messages } from "../messages.ts";
import { toast } from "../parts/toasts.tsx";
import { vault } from "../vault.ts";
import type { Action, Selected } from "./action.ts";

/** The others are about photos of the account and its albums. */
const ABROAD = new Set(["copy-here", "download", "slideshow"]);

/** Whether an action is offered for a list, as far as its server goes. */
export function isForAbroad(
  { name }: Pick<Action, "name">,
  { source }: Selected,
): boolean {
  return source.kind !== "abroad" || ABROAD.has(name);
}

/** Copying them into the own library. */
export const abroadActions: readonly Action[] = [{
  name: "copy-here",
  icon: "addTo",
  label: () => messages.value.abroad.copy,
  applies: ({ source }) => source.kind === "abroad",
  async act({ ids }) {
    const n = await vault().abroad.copy(ids);
    toast(messages.value.abroad.copied({ n: String(n) }));
  },
  place: "bar",
  order: 10,
}];
