/**
 * The map: where the photos of the library, or of one album, were taken. The
 * countries and the names come from this server; no one learns of a place.
 *
 * @module
 */
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { Town } from "../../../media/places/gazetteer.ts";
import { faultText } from "../faults.ts";
import { listHref } from "../list.ts";
import { useLoaded } from "../loaded.ts";
import { Check } from "../parts/choices.tsx";
import { Empty, IconButton, Notice } from "../parts/controls.tsx";
import { Cover } from "../parts/cover.tsx";
import { Icon } from "../parts/icon.tsx";
import { go, href, route } from "../routes.ts";
import { revision, vault } from "../vault.ts";
import { messages, numberText } from "../messages.ts";
import { apart, type Marker, Markers } from "./markers.ts";
import {
  hasStreets,
  showsStreets,
  showStreets,
  useStreets,
} from "./streets_choice.ts";
import {
  type Bounds,
  type Look,
  MOST_STREET_ZOOM,
  MOST_ZOOM,
  World,
} from "./world.ts";

/** Names of towns that are looked for; those that collide are left out. */
const MOST_TOWNS = 40;
/** Around a marker of one place (degrees). */
const NEAR = 0.01;
/** At which a place that the address names is shown. */
const CLOSE_ZOOM = 12;

/** What was last seen of each map, for whoever comes back to it. */
const looks = new Map<string, Look>();

/** The view at `#/map`; `?album=` shows one album, `?at=` begins at a place. */
export function MapView() {
  const { map, shell, albums } = messages.value;
  const { query } = route.value;
  const album = query.get("album") ?? undefined;
  const { value: points, error } = useLoaded(
    () => vault().places.points(album),
    [album, revision.value],
  );
  const page = useLoaded(
    () =>
      album === undefined
        ? Promise.resolve(undefined)
        : vault().albums.page(album),
    [album],
  ).value;
  const title = page === undefined
    ? shell.map
    : map.ofAlbum({ title: page.title === "" ? albums.untitled : page.title });
  const isOffered = useLoaded(hasStreets, []).value === true;
  const isStreets = isOffered && showsStreets.value;
  const isDark = useDark();
  const markers = useMemo(
    () =>
      points === undefined
        ? undefined
        : new Markers(points, isStreets ? MOST_STREET_ZOOM : MOST_ZOOM),
    [points, isStreets],
  );
  return (
    <div class="map-view" aria-busy={markers === undefined}>
      <header class="map-head">
        <a
          class="back"
          href={album === undefined ? href("albums") : href("album", album)}
        >
          <Icon name="back" /> {page?.title || albums.title}
        </a>
        <h1>{title}</h1>
      </header>
      {isOffered && (
        <Check
          label={map.streets}
          checked={showsStreets.value}
          onChange={showStreets}
        >
          {map.streetsHint}
        </Check>
      )}
      {error !== undefined && <Notice>{faultText(error)}</Notice>}
      {markers !== undefined && (markers.points.ids.length === 0
        ? (
          <Empty icon="place" title={map.none}>
            <p class="quiet measure">{map.noneHint}</p>
          </Empty>
        )
        : (
          <Chart
            // Drawn again in other colours, where it was.
            key={`${isDark ? "dark" : "light"} ${album ?? ""}`}
            markers={markers}
            album={album}
            start={startOf(query.get("at"))}
            isStreets={isStreets}
          />
        ))}
    </div>
  );
}

const DARK = "(prefers-color-scheme: dark)";

/** Whether the browser asks for dark pages, which may change in the evening. */
function useDark(): boolean {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const asked = matchMedia(DARK);
    const change = () => setDark(asked.matches);
    asked.addEventListener("change", change);
    return () => asked.removeEventListener("change", change);
  }, []);
  return isDark;
}

/** A place that an address names: `45.98,9.26`. */
function startOf(at: string | null): Look | undefined {
  const [latitude = NaN, longitude = NaN] = at?.split(",").map(Number) ?? [];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { centre: [longitude, latitude], zoom: CLOSE_ZOOM }
    : undefined;
}

function Chart({ markers, album, start, isStreets }: {
  readonly markers: Markers;
  readonly album: string | undefined;
  readonly start: Look | undefined;
  readonly isStreets: boolean;
}) {
  const { map, albums } = messages.value;
  const target = useRef<HTMLDivElement>(null);
  const [world, setWorld] = useState<World>();
  const [, drawn] = useReducer((n: number) => n + 1, 0);
  const [rested, rest] = useReducer((n: number) => n + 1, 0);
  const key = album ?? "";
  /** What was seen before, where only streets go so deep. */
  const deeper = useRef<Look>(undefined);
  useEffect(() => {
    if (target.current === null) return;
    const made = new World(target.current, {
      onDraw: () => drawn(undefined),
      onRest: () => rest(undefined),
    });
    const look = start ?? looks.get(key);
    if (look !== undefined) {
      made.show(look);
      if (look.zoom > MOST_ZOOM) deeper.current = look;
    } else if (markers.bounds !== undefined) made.fit(markers.bounds);
    setWorld(made);
    return () => {
      looks.set(key, made.look);
      made.close();
    };
  }, []);
  const streets = useStreets(world, isStreets);
  useEffect(() => {
    if (streets === undefined || deeper.current === undefined) return;
    world?.show(deeper.current);
    deeper.current = undefined;
  }, [streets]);
  const towns = useTowns(world, rested).filter((town) =>
    streets === undefined || !streets.names(town, world?.zoom ?? 0)
  );
  // Each picture has its markers; all photos are counted when the map rests.
  const shown = world === undefined
    ? []
    : markers.within(world.bounds, world.zoom);
  const [bounds, count] = useMemo(() => {
    const here = world?.bounds;
    return [here, here === undefined ? 0 : markers.count(here)] as const;
  }, [world, rested, markers]);
  const list = (of: Bounds) =>
    listHref({
      kind: "area",
      bounds: [of.west, of.south, of.east, of.north]
        .map((degrees) => degrees.toFixed(4)).join(","),
      ...(album === undefined ? {} : { album }),
    });
  const open = ({ latitude, longitude, opensAt }: Marker) => {
    if (opensAt !== undefined) {
      const centre = [longitude, latitude] as const;
      return world?.show({ centre, zoom: opensAt + 0.5 }, { slowly: true });
    }
    go(list({
      west: longitude - NEAR,
      south: latitude - NEAR,
      east: longitude + NEAR,
      north: latitude + NEAR,
    }));
  };
  const all = () =>
    markers.bounds && world?.fit(markers.bounds, { slowly: true });
  return (
    <div class="map-chart">
      <div
        ref={target}
        class="map-world"
        tabIndex={0}
        role="application"
        aria-label={map.label}
      />
      <div class="map-over">
        {world !== undefined && towns.map((town) => {
          const pixel = world.pixelOf(town.longitude, town.latitude);
          return pixel && (
            <span
              key={`${town.latitude} ${town.longitude}`}
              class="map-town"
              aria-hidden="true"
              style={{ transform: placed(pixel) }}
            >
              {town.name}
            </span>
          );
        })}
        {world !== undefined && shown.map((marker) => {
          const pixel = world.pixelOf(marker.longitude, marker.latitude);
          return pixel && (
            <button
              key={`${marker.id} ${marker.count}`}
              type="button"
              class="map-marker"
              aria-label={albums.photos({
                n: marker.count,
                noun: markers.points.noun,
              })}
              style={{ transform: placed(pixel) }}
              onClick={() => open(marker)}
            >
              <Cover id={marker.id} icon="photos" />
              {marker.count > 1 && (
                <span class="badge">{numberText(marker.count)}</span>
              )}
            </button>
          );
        })}
      </div>
      <div class="map-tools">
        <IconButton
          icon="zoomIn"
          label={map.zoomIn}
          onClick={() => world?.zoomBy(1)}
        />
        <IconButton
          icon="zoomOut"
          label={map.zoomOut}
          onClick={() => world?.zoomBy(-1)}
        />
        <IconButton icon="fullScreen" label={map.all} onClick={all} />
      </div>
      <footer class="map-foot">
        {bounds === undefined || count === 0
          ? <p role="status">{map.noneHere}</p>
          : (
            <a class="button main" href={list(bounds)}>
              {map.here({ n: count, noun: markers.points.noun })}
            </a>
          )}
        <p class="quiet small">
          {map.byWhom}
          {streets !== undefined && (
            <>
              {" · "}
              <a
                href="https://www.openstreetmap.org/copyright"
                target="_blank"
                rel="noopener noreferrer"
              >
                © OpenStreetMap
              </a>
            </>
          )}
        </p>
      </footer>
    </div>
  );
}

const placed = ([x, y]: readonly [number, number]) =>
  `translate(${Math.round(x)}px, ${Math.round(y)}px)`;

/** Towns to name, each time the map rests. */
function useTowns(
  world: World | undefined,
  rested: number,
): readonly Town[] {
  const [towns, setTowns] = useState<readonly Town[]>([]);
  useEffect(() => {
    if (world === undefined) return;
    let gone = false;
    vault().places.largest(world.bounds, MOST_TOWNS).then((found) => {
      if (gone) return;
      setTowns(
        apart(found, (town) => world.pixelOf(town.longitude, town.latitude)),
      );
    }, () => {
      // Without a connection there are no names.
    });
    return () => {
      gone = true;
    };
  }, [world, rested]);
  return towns;
}
