/**
 * Share links that do not say where photos were taken. Apart from what makes
 * links, so that a page can ask before it loads that.
 *
 * @module
 */
import type { Row } from "./rows.ts";

/**
 * Whether viewers may learn the place that a file contains in its EXIF. The
 * index itself never contains places.
 *
 * - `kept`: viewers get the original files.
 * - `left_out`: of a photo with a place, viewers get the preview instead of the
 *   original; one without a preview is left out.
 */
export type Places = "kept" | "left_out";

/**
 * Whether an asset can be in a link that leaves places out: it has no place, or
 * a preview to show instead.
 */
export function canBePlaceless({ metadata }: Row): boolean {
  return metadata?.place === undefined ||
    metadata.derivatives.some((one) =>
      one.kind === "preview" && one.size !== undefined &&
      one.width !== undefined && one.height !== undefined
    );
}
