/**
 * Streets on the map, from the operator's file: a .pmtiles archive
 * (BSD-3-Clause reader) of vector tiles, which is read in parts from this
 * server. OpenLayers draws them into the same map, on a canvas and with the
 * fonts of the page, so that nothing else is asked for.
 *
 * @module
 */
import { EtagMismatch, PMTiles, type Source } from "pmtiles";
import TileState from "ol/TileState.js";
import VectorTile from "ol/VectorTile.js";
import MVT from "ol/format/MVT.js";
import VectorTileLayer from "ol/layer/VectorTile.js";
import VectorTileSource from "ol/source/VectorTile.js";
import { createXYZ } from "ol/tilegrid.js";
import type { Bounds } from "../../../media/places/gazetteer.ts";
import { browserFetch } from "../../browser.ts";
import { LAYERS, NAMES_FROM_ZOOM, styleOf } from "./street_style.ts";

export { NAMES_FROM_ZOOM };

const FILE = "/app/map.pmtiles";
/** Vector tiles are drawn this large (pixels). */
const TILE_SIZE = 512;

/** What the file has. */
interface Streets {
  readonly layer: VectorTileLayer;
  readonly bounds: Bounds;
}

/** Opens the file, to be drawn in the colours of an element. */
export async function openStreets(element: HTMLElement): Promise<Streets> {
  const archive = new PMTiles(PARTS);
  const { minZoom, maxZoom, ...corners } = await archive.getHeader();
  const format = new MVT({ layers: [...LAYERS] });
  const source = new VectorTileSource({
    format,
    tileGrid: createXYZ({ minZoom, maxZoom, tileSize: TILE_SIZE }),
    tileUrlFunction: (place) => place.join("/"),
    tileLoadFunction: (tile, url) => {
      if (!(tile instanceof VectorTile)) return;
      const [z = 0, x = 0, y = 0] = url.split("/").map(Number);
      tile.setLoader((extent, _resolution, featureProjection) => {
        archive.getZxy(z, x, y).then((found) => {
          if (found === undefined) return tile.setFeatures([]);
          const options = { extent, featureProjection };
          tile.setFeatures(format.readFeatures(found.data, options));
        }).catch(() => {
          // Without a connection there are the countries.
          tile.setState(TileState.ERROR);
        });
      });
    },
    transition: 0,
    wrapX: false,
  });
  return {
    layer: new VectorTileLayer({
      source,
      style: styleOf(element),
      declutter: true,
    }),
    bounds: {
      west: corners.minLon,
      south: corners.minLat,
      east: corners.maxLon,
      north: corners.maxLat,
    },
  };
}

/** The file, in parts of one version: with another the reader starts over. */
const PARTS: Source = {
  getKey: () => FILE,
  getBytes: async (offset, length, signal, etag) => {
    const response = await browserFetch(FILE, {
      headers: { Range: `bytes=${offset}-${offset + length - 1}` },
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.status !== 206) {
      throw new Error(`the map was answered with ${response.status}`);
    }
    const found = response.headers.get("ETag") ?? "";
    if (etag !== undefined && etag !== found) {
      throw new EtagMismatch("the map was replaced");
    }
    return { data: await response.arrayBuffer(), etag: found };
  },
};
