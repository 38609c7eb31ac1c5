/**
 * The actions on photos of albums of other servers, which have no owner here.
 *
 * @module
 */
import { messages } from "../messages.ts";
import { part } from "../part.ts";
import { toast } from "../parts/toasts.tsx";
import { vault } from "../vault.ts";
import type { Action, Selected } from "./action.ts";

/** The others are about photos of the account and its albums. */
const ABROAD = new Set(["copy-here", "download", "report", "slideshow"]);

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
}, {
  name: "report",
  icon: "warning",
  label: () => messages.value.abroad.report,
  applies: ({ source, ids }) => source.kind === "abroad" && ids.length === 1,
  async act({ ids: [id = ""] }) {
    const { reportPhoto } = await part(() => import("../abroad/report.tsx"));
    const report = await vault().abroad.report(id);
    if (report !== undefined) reportPhoto(report);
  },
  place: "menu",
  order: 90,
  keeps: true,
}];
