/**
 * Bringing streets to a map, and taking them from it.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { Town } from "../../../client/places/gazetteer.ts";
import { faultText } from "../faults.ts";
import { part } from "../part.ts";
import { toast } from "../parts/toasts.tsx";
import type { World } from "./world.ts";

/** Streets that are drawn. */
export interface ShownStreets {
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
