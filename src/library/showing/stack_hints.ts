/**
 * What hints at stacks: few libraries have any, and the rule of `stacks.ts` is
 * loaded where one may be.
 *
 * @module
 */
import { isRawType } from "../../media/raw_types.ts";
import type { Row } from "../rows/rows.ts";

/** Whether a name may be that of a burst's photo. */
export function hintsAtBurst(name: string): boolean {
  return /burst|^pxl_/i.test(name);
}

/** Whether a photo may make a stack of its neighbours. */
export function hintsAtStack({ metadata }: Pick<Row, "metadata">): boolean {
  return metadata !== undefined &&
    (hintsAtBurst(metadata.name) || isRawType(metadata.mime));
}
