/**
 * The upload half of a share link: what is said of its photos is sent there.
 *
 * @module
 */
import type { ShareIndex } from "../../../client/documents/share.ts";
import { buildUploadLink } from "../../../client/documents/upload_link.ts";
import type { PhotoRemarks } from "../library/remarks/remark_cards.ts";
import type { SaidOf } from "./link_remarks.ts";
import type { OpenShare } from "./open_share.ts";

const remarks = () => import("./link_remarks.ts");

/** The upload half of the link that is open. */
export type UploadHalf = ReturnType<typeof uploadHalf>;

export function uploadHalf(
  opened: () => OpenShare,
  tell: (event: string, data: unknown) => void,
) {
  let told = 0;
  const changed = () => tell("library", { revision: told += 1 });
  let isHalfGone = false;
  /** Offers nothing more that is sent to the upload half. */
  const endHalf = () => {
    isHalfGone = true;
    tell("half_ended", undefined);
    changed();
  };
  /** What is said of a photo, and where more is said. */
  const saidOf = (id: string): SaidOf => {
    const { index, opaqueId } = opened();
    const { hash: on, remarks = [] } = opened().of(id).item;
    const isOpen = index.adds?.reacts === true && !isHalfGone;
    const half = isOpen ? halfOf(index) : undefined;
    return { opaqueId, n: index.n, on, remarks, half };
  };
  /** Sends something to it. */
  const sending = async (send: () => Promise<void>) => {
    const { isOfGoneHalf } = await remarks();
    try {
      await send();
    } catch (error) {
      if (isOfGoneHalf(error)) endHalf();
      throw error;
    }
    changed();
  };
  /** Asks whether it is there, and says if it is not. */
  const look = async (): Promise<void> => {
    const { adds } = opened().index;
    if (adds === undefined) return;
    const half = await remarks();
    if (await half.isHalfGone(adds.opaque_id)) endHalf();
  };
  return { look, saidOf, sending };
}

/** The calls of the group `said`. */
export function saidCalls({ saidOf, sending }: UploadHalf) {
  return {
    /** What is said of a photo. */
    of: async (id: string): Promise<PhotoRemarks> =>
      await (await remarks()).remarksOf(saidOf(id)),
    /** Gives a photo a heart, under the name that was typed, or takes it back. */
    async heart(id: string, isGiven: boolean, from: string): Promise<void> {
      const { say, takeBack } = await remarks();
      await sending(() =>
        isGiven ? say(saidOf(id), from) : takeBack(saidOf(id))
      );
    },
    async comment(id: string, text: string, from: string): Promise<void> {
      const { say } = await remarks();
      await sending(() => say(saidOf(id), from, text));
    },
    /** Deletes a comment that was written in this browser. */
    async remove(id: string, comment: string): Promise<void> {
      const { takeBack } = await remarks();
      await sending(() => takeBack(saidOf(id), comment));
    },
  };
}

/** The address of the upload half of a link. */
export function halfOf({ adds, title }: ShareIndex): string | undefined {
  return adds && buildUploadLink({
    opaqueId: adds.opaque_id,
    fingerprint: adds.fingerprint,
    gate: adds.gate,
    origin: location.origin,
    ...(title === undefined ? {} : { note: title }),
  });
}
