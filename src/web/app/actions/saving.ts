/**
 * Downloading: one photo as it is, several as a zip.
 *
 * @module
 */
import { part } from "../part.ts";
import { messages } from "../messages.ts";
import { vault } from "../vault.ts";
import type { Action } from "./action.ts";

/** The actions of saving. */
export const savingActions: readonly Action[] = [{
  name: "download",
  icon: "download",
  label: () => messages.value.lightbox.download,
  applies: ({ source }) => source.kind !== "trash",
  async act({ ids, source }) {
    const { saveMany, saveOne } = await part(() =>
      import("../saving/saving.ts")
    );
    const [id] = ids;
    if (id === undefined) return;
    if (source.kind === "abroad") {
      for (const one of ids) await saveOne(await vault().photos.info(one));
      return;
    }
    if (ids.length > 1) return await saveMany(ids, { isExport: false });
    const info = await vault().photos.info(id);
    // A live photo of Apple is two files, which only a zip keeps together.
    if (info.derivatives.some(({ kind }) => kind === "motion")) {
      const title = info.name.replace(/\.[^.]*$/, "");
      return await saveMany(ids, { isExport: false }, title);
    }
    await saveOne(info);
  },
  place: "bar",
  order: 40,
  keeps: true,
}];
