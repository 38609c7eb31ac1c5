/**
 * Parts of the app that are fetched when they are first needed. Every lazy
 * `import` of the pages goes through here.
 *
 * @module
 */
import { fetched } from "./fetched.ts";
import { bringMessages } from "./first_messages.ts";
import { addIcons } from "./parts/icon.tsx";
import { fileAddress } from "./trusted.ts";

/**
 * Fetches a part, and with the first one the texts, icons and styles that parts
 * show:
 * `part(() => import("./large.tsx"))`.
 */
export async function part<T>(load: () => Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([
    fetched(load),
    bringMessages(),
    bringIcons(),
    bringStyles(),
  ]);
  return loaded;
}

async function bringIcons(): Promise<void> {
  const { LATER_ICONS } = await fetched(() => import("./parts/later_icons.ts"));
  addIcons(LATER_ICONS);
}

let styles: Promise<void> | undefined;

/** Brings the styles that are not of the first load, unless they are here. */
function bringStyles(): Promise<void> {
  const href = fileAddress("later.css");
  if (document.querySelector(`link[href$="/later.css"]`) !== null) {
    return styles ?? Promise.resolve();
  }
  return styles = new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    // Without them a part looks odd, and works; the next one tries again.
    link.onerror = () => {
      link.remove();
      resolve();
    };
    link.onload = () => resolve();
    document.head.append(link);
  });
}
