/**
 * A map of the earth's countries that is moved by finger, mouse and keys, drawn
 * by OpenLayers (BSD-2-Clause) from a file of this server.
 *
 * @module
 */
import OpenLayersMap from "ol/Map.js";
import View from "ol/View.js";
import TopoJSON from "ol/format/TopoJSON.js";
import type Geometry from "ol/geom/Geometry.js";
import SimpleGeometry from "ol/geom/SimpleGeometry.js";
import VectorLayer from "ol/layer/Vector.js";
import { fromLonLat, toLonLat, transformExtent } from "ol/proj.js";
import VectorSource from "ol/source/Vector.js";
import { Fill, Stroke, Style } from "ol/style.js";
import type BaseLayer from "ol/layer/Base.js";
import type { Bounds } from "../../../media/places/gazetteer.ts";
import { browserFetch } from "../../browser.ts";

export type { Bounds };

/** The file next to this script. */
const WORLD = "world.json";
const LEAST_ZOOM = 1;
/** Deepest zoom of the countries. */
export const MOST_ZOOM = 15;
/** Deepest zoom of streets. */
export const MOST_STREET_ZOOM = 18;
/** Room around what is shown as a whole (pixels). */
const PADDING = 64;
/** Beyond these, Mercator's map has no end (degrees). */
const MOST_LATITUDE = 85;
const DEGREES = "EPSG:4326";
const MERCATOR = "EPSG:3857";

/** What is shown of the earth. */
export interface Look {
  /** Degrees east and north. */
  readonly centre: readonly [number, number];
  readonly zoom: number;
}

/** The countries; fetched once. */
let countries: Promise<unknown> | undefined;

async function fetchCountries(): Promise<unknown> {
  const response = await browserFetch(new URL(WORLD, import.meta.url).href, {});
  if (!response.ok) throw new Error("the map cannot be fetched");
  return await response.json();
}

/** A map in an element of the page. */
export class World {
  readonly #map: OpenLayersMap;
  readonly #view: View;

  /** `onDraw` is called with each picture, `onRest` once it rests. */
  constructor(
    readonly element: HTMLElement,
    { onDraw, onRest }: {
      readonly onDraw: () => void;
      readonly onRest: () => void;
    },
  ) {
    const source = new VectorSource();
    this.#view = new View({
      center: [0, 0],
      zoom: LEAST_ZOOM,
      minZoom: LEAST_ZOOM,
      maxZoom: MOST_ZOOM,
      enableRotation: false,
      multiWorld: false,
      extent: transformExtent(
        [-180, -MOST_LATITUDE, 180, MOST_LATITUDE],
        DEGREES,
        MERCATOR,
      ),
      constrainOnlyCenter: true,
      showFullExtent: true,
    });
    this.#map = new OpenLayersMap({
      target: element,
      view: this.#view,
      controls: [],
      layers: [new VectorLayer({ source, style: styleOf(element) })],
      keyboardEventTarget: element,
    });
    this.#map.on("postrender", onDraw);
    this.#map.on("moveend", onRest);
    countries ??= fetchCountries().catch((error) => {
      countries = undefined;
      throw error;
    });
    countries.then((topology) => {
      const features = new TopoJSON({ layers: ["countries"] })
        .readFeatures(topology);
      for (const feature of features) {
        const geometry = feature.getGeometry();
        if (geometry !== undefined) unfold(geometry);
        geometry?.transform(DEGREES, MERCATOR);
      }
      source.addFeatures(features);
    }, () => {
      // Without a connection there are the photos and no countries.
    });
  }

  /** Where a place is drawn (pixels); undefined before anything is. */
  pixelOf(
    longitude: number,
    latitude: number,
  ): readonly [number, number] | undefined {
    const [x, y] = this.#map.getPixelFromCoordinate(
      fromLonLat([longitude, latitude]),
    ) ?? [];
    return x === undefined || y === undefined ? undefined : [x, y];
  }

  /** What is in sight. */
  get bounds(): Bounds {
    const [west = -180, south = -90, east = 180, north = 90] = transformExtent(
      this.#view.calculateExtent(this.#map.getSize()),
      MERCATOR,
      DEGREES,
    );
    return {
      west: Math.max(-180, west),
      south: Math.max(-90, south),
      east: Math.min(180, east),
      north: Math.min(90, north),
    };
  }

  get zoom(): number {
    return this.#view.getZoom() ?? LEAST_ZOOM;
  }

  get look(): Look {
    const [east = 0, north = 0] = toLonLat(this.#view.getCenter() ?? [0, 0]);
    return { centre: [east, north], zoom: this.zoom };
  }

  /** Shows a part, at once or by and by. */
  show({ centre, zoom }: Look, { slowly = false } = {}): void {
    const center = fromLonLat([...centre]);
    const to = Math.min(this.#view.getMaxZoom(), zoom);
    if (slowly) this.#view.animate({ center, zoom: to, duration: 250 });
    else {
      this.#view.setCenter(center);
      this.#view.setZoom(to);
    }
  }

  /** Shows all of a part. */
  fit({ west, south, east, north }: Bounds, { slowly = false } = {}): void {
    const within = (latitude: number) =>
      Math.min(MOST_LATITUDE, Math.max(-MOST_LATITUDE, latitude));
    this.#view.fit(
      transformExtent(
        [west, within(south), east, within(north)],
        DEGREES,
        MERCATOR,
      ),
      {
        padding: [PADDING, PADDING, PADDING, PADDING],
        maxZoom: 11,
        duration: slowly ? 250 : 0,
      },
    );
  }

  /** Draws streets over the countries, or only the countries again. */
  setStreets(layer: BaseLayer | undefined): void {
    // It was closed meanwhile.
    if (this.#map.getTarget() === undefined) return;
    const [countries] = this.#map.getLayers().getArray();
    const layers = [countries, layer].filter((one) => one !== undefined);
    this.#map.setLayers(layers);
    this.#view.setMaxZoom(layer === undefined ? MOST_ZOOM : MOST_STREET_ZOOM);
  }

  zoomBy(steps: number): void {
    this.#view.animate({ zoom: this.zoom + steps, duration: 200 });
  }

  close(): void {
    this.#map.setTarget(undefined);
    this.#map.dispose();
  }
}

/** Points this far south lie on the edge of the map, and not on a coast. */
const EDGE_LATITUDE = -89;

/**
 * Lets islands that lie across the date line go on beyond the map's edge: drawn
 * as they are, their coasts would run around the earth.
 */
function unfold(geometry: Geometry): void {
  if (!(geometry instanceof SimpleGeometry)) return;
  const numbers = geometry.getFlatCoordinates();
  for (let at = 2; at < numbers.length; at += 2) {
    const step = (numbers[at] ?? 0) - (numbers[at - 2] ?? 0);
    const isCoast = (numbers[at + 1] ?? 0) > EDGE_LATITUDE;
    // From one ring to the next it may be as far: no country reaches so.
    if (isCoast && Math.abs(step) > 180) {
      numbers[at] = (numbers[at] ?? 0) - Math.sign(step) * 360;
    }
  }
  geometry.changed();
}

/** Land and borders in the colours of the page. */
function styleOf(element: HTMLElement): Style {
  const colours = getComputedStyle(element);
  const colour = (name: string) => colours.getPropertyValue(name).trim();
  return new Style({
    fill: new Fill({ color: colour("--raised") }),
    stroke: new Stroke({ color: colour("--field"), width: 0.75 }),
  });
}
