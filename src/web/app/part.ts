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

/**
 * Brings the styles that are not of the first load. Pages of links have them
 * from the start.
 */
function bringStyles(): Promise<void> {
  if (
    styles === undefined &&
    document.querySelector('link[href$="/later.css"]') !== null
  ) styles = Promise.resolve();
  return styles ??= fetched(linkStyles).catch((error) => {
    styles = undefined;
    throw error;
  });
}

function linkStyles(): Promise<void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = fileAddress("later.css");
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error("the styles did not load"));
    };
    document.head.append(link);
  });
}
