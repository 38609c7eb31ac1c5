/**
 * How streets are drawn: the layers of Protomaps' basemap (version 4) in the
 * colours of the page, light or dark, and with its font.
 *
 * @module
 */
import type { FeatureLike } from "ol/Feature.js";
import { asArray } from "ol/color.js";
import { textHeights } from "ol/render/canvas.js";
import { Fill, Stroke, Style, Text } from "ol/style.js";

/** What is drawn of a tile; the rest of it is not read. */
export const LAYERS = [
  "earth",
  "landuse",
  "water",
  "buildings",
  "boundaries",
  "roads",
  "places",
] as const;

/** Pixels of a meter at zoom 0: of a map whose tiles have 256 pixels. */
const WIDEST = 156_543.034;
/** From here on the tiles name towns; up to here the app's own names do. */
export const NAMES_FROM_ZOOM = 10;
/** Kinds of land that are drawn as green. */
const GREEN = new Set([
  "allotments",
  "cemetery",
  "forest",
  "garden",
  "golf_course",
  "grass",
  "meadow",
  "national_park",
  "nature_reserve",
  "orchard",
  "park",
  "playground",
  "protected_area",
  "scrub",
  "village_green",
  "vineyard",
  "wood",
]);

interface Road {
  readonly colour: string;
  readonly from: number;
  /** At zoom 13 (pixels). */
  readonly width: number;
  readonly dash?: number[];
  readonly order: number;
}

type Draw = (
  feature: FeatureLike,
  resolution: number,
) => Style | undefined;

/** Draws features in the colours that an element has now. */
export function styleOf(element: HTMLElement): Draw {
  const page = getComputedStyle(element);
  const colour = (name: string) => page.getPropertyValue(name).trim();
  const [land, ink] = [colour("--raised"), colour("--ink")];
  const filled = (of: string, order: number) =>
    new Style({ fill: new Fill({ color: of }), zIndex: order });
  const water = colour("--accent-soft");
  const areas: Readonly<Record<string, Style>> = {
    earth: filled(land, 0),
    landuse: filled(mixed(land, colour("--good"), 0.14), 1),
    water: filled(water, 3),
    buildings: filled(mixed(land, ink, 0.07), 4),
  };
  const river = new Style({
    stroke: new Stroke({ color: water, width: 1.5 }),
    zIndex: 2,
  });
  const border = new Style({
    stroke: new Stroke({ color: colour("--field"), width: 0.75 }),
    zIndex: 5,
  });
  const roads: Readonly<Record<string, Road>> = {
    highway: {
      colour: mixed(land, colour("--warn"), 0.45),
      from: 5,
      width: 3,
      order: 12,
    },
    major_road: {
      colour: mixed(land, ink, 0.24),
      from: 8,
      width: 2.2,
      order: 11,
    },
    minor_road: {
      colour: mixed(land, ink, 0.15),
      from: 11,
      width: 1.4,
      order: 10,
    },
    other: { colour: mixed(land, ink, 0.12), from: 14, width: 0.8, order: 9 },
    path: {
      colour: mixed(land, ink, 0.22),
      from: 14,
      width: 0.7,
      dash: [4, 3],
      order: 8,
    },
    rail: { colour: mixed(land, ink, 0.3), from: 10, width: 0.8, order: 13 },
  };
  const names = namesOf(page, { land, ink, quiet: colour("--quiet") });
  const kept = new Map<string, Style>();
  const roadOf = (feature: FeatureLike, zoom: number) => {
    const kind = String(feature.get("kind"));
    const road = roads[kind];
    if (road === undefined || zoom < road.from) return undefined;
    const line = once(
      kept,
      `${kind} ${Math.round(zoom)}`,
      () => lineOf(road, zoom),
    );
    const name = nameIn(feature);
    if (name === undefined || zoom < road.from + 3 || zoom < 13) return line;
    return names.along(name, line);
  };
  return (feature, resolution) => {
    const zoom = Math.log2(WIDEST / resolution);
    const layer = String(feature.get("layer"));
    const type = feature.getGeometry()?.getType() ?? "";
    const isArea = type.endsWith("Polygon");
    if (layer === "roads") return roadOf(feature, zoom);
    if (layer === "places") return names.place(feature, zoom);
    if (layer === "boundaries") return border;
    if (layer === "water" && type.endsWith("LineString")) return river;
    if (layer === "landuse" && !GREEN.has(String(feature.get("kind")))) {
      return undefined;
    }
    return isArea ? areas[layer] : undefined;
  };
}

function lineOf({ colour, width, dash, order }: Road, zoom: number): Style {
  return new Style({
    stroke: new Stroke({
      color: colour,
      width: Math.max(0.6, width * 1.4 ** (Math.round(zoom) - 13)),
      lineCap: dash === undefined ? "round" : "butt",
      ...(dash === undefined ? {} : { lineDash: dash }),
    }),
    zIndex: order,
  });
}

/** Names of roads and of places. */
function namesOf(
  page: CSSStyleDeclaration,
  { land, ink, quiet }: {
    readonly land: string;
    readonly ink: string;
    readonly quiet: string;
  },
) {
  const text = (name: string, size: number, colour: string, isLine: boolean) =>
    new Text({
      text: name,
      font: measured(isLine ? 400 : 600, size, page.fontFamily),
      fill: new Fill({ color: colour }),
      stroke: new Stroke({ color: land, width: 3 }),
      ...(isLine ? { placement: "line", repeat: 300 } : {}),
    });
  const sizes: Readonly<Record<string, readonly [from: number, size: number]>> =
    {
      locality: [NAMES_FROM_ZOOM, 13],
      macrohood: [12, 12],
      neighbourhood: [13, 12],
    };
  return {
    along: (name: string, line: Style) => {
      const stroke = line.getStroke();
      return new Style({
        ...(stroke === null ? {} : { stroke }),
        zIndex: line.getZIndex() ?? 0,
        text: text(name, 11, quiet, true),
      });
    },
    place: (feature: FeatureLike, zoom: number) => {
      const kind = String(feature.get("kind"));
      const [from, size] = sizes[kind] ?? [Infinity, 0];
      const name = nameIn(feature);
      if (name === undefined || zoom < from) return undefined;
      const isTown = kind === "locality";
      return new Style({
        text: text(name, size, isTown ? ink : quiet, false),
        // Of names that collide that of the larger place stays.
        zIndex: 20 + Number(feature.get("population_rank") ?? 0),
      });
    },
  };
}

/**
 * A font whose height OpenLayers need not measure: it would do so by `innerHTML`,
 * which the policy of the app refuses.
 */
function measured(weight: number, size: number, family: string): string {
  const font = `${weight} ${size}px ${family}`;
  textHeights[font] = size * 1.2;
  return font;
}

/** In the language of the page, or as people there write it. */
function nameIn(feature: FeatureLike): string | undefined {
  const { lang } = document.documentElement;
  const name = feature.get(`name:${lang}`) ?? feature.get("name");
  return typeof name === "string" && name !== "" ? name : undefined;
}

function once<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const held = kept.get(key) ?? make();
  kept.set(key, held);
  return held;
}

/** A colour with so much of another one in it. */
function mixed(of: string, other: string, share: number): string {
  const [from, to] = [asArray(of), asArray(other)];
  const parts = [0, 1, 2].map((at) =>
    Math.round((from[at] ?? 0) * (1 - share) + (to[at] ?? 0) * share)
  );
  return `rgb(${parts.join(" ")})`;
}
