/**
 * Whether this browser shows streets on the map, and bringing them to it. They
 * are shown only once they were chosen: the parts of the file that a browser
 * asks for tell the server which places someone looks at.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { Town } from "../../../media/places/gazetteer.ts";
import { faultText } from "../faults.ts";
import { part } from "../part.ts";
import { toast } from "../parts/toasts.tsx";
import type { World } from "./world.ts";
import { signal } from "@preact/signals";
import { browserFetch } from "../../browser.ts";

const CHOSEN = "strongroom.streets";

/** The choice in this browser. */
export const showsStreets = signal(remembered());

/** Shows streets from now on, or no more. */
export function showStreets(isChosen: boolean): void {
  showsStreets.value = isChosen;
  try {
    if (isChosen) localStorage.setItem(CHOSEN, "yes");
    else localStorage.removeItem(CHOSEN);
  } catch {
    // Storage may be refused: the choice then lasts a visit.
  }
}

function remembered(): boolean {
  try {
    return localStorage.getItem(CHOSEN) === "yes";
  } catch {
    return false;
  }
}

/** Whether the operator gave this server a map with streets. */
export async function hasStreets(): Promise<boolean> {
  const response = await browserFetch("/app/map.json", {});
  if (!response.ok) return false;
  return JSON.parse(await response.text()).streets === true;
}

/** Streets that are drawn. */
interface ShownStreets {
  /** Whether they name a town themselves, at that zoom. */
  readonly names: (town: Town, zoom: number) => boolean;
}

/** Draws streets while they are wanted; what draws them is fetched then. */
export function useStreets(
  world: World | undefined,
  isWanted: boolean,
): ShownStreets | undefined {
  const [shown, setShown] = useState<ShownStreets>();
  useEffect(() => {
    if (world === undefined || !isWanted) return;
    let gone = false;
    const begin = async () => {
      const { NAMES_FROM_ZOOM, openStreets } = await part(() =>
        import("./streets.ts")
      );
      const { layer, bounds } = await openStreets(world.element);
      if (gone) return;
      world.setStreets(layer);
      setShown({
        names: ({ latitude, longitude }, zoom) =>
          zoom >= NAMES_FROM_ZOOM &&
          latitude >= bounds.south && latitude <= bounds.north &&
          longitude >= bounds.west && longitude <= bounds.east,
      });
    };
    begin().catch((error) => {
      if (!gone) toast(faultText(error));
    });
    return () => {
      gone = true;
      world.setStreets(undefined);
      setShown(undefined);
    };
  }, [world, isWanted]);
  return shown;
}
