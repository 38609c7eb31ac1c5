/**
 * The button that makes a picture frame of a list.
 *
 * @module
 */
import type { FollowedList } from "../../../../library/sharing/link_notes.ts";
import { messages } from "../../messages.ts";
import { Button } from "../../parts/controls.tsx";
import { withPart } from "../../parts/lazy.tsx";

/** The button; its dialog is loaded at the first use. */
export function StartFrame({ source }: { readonly source: FollowedList }) {
  return (
    <Button
      icon="photos"
      onClick={() =>
        withPart(
          () => import("./make_frame.tsx"),
          ({ makeFrame }) => makeFrame(source),
        )}
    >
      {messages.value.pictureFrame.menu}
    </Button>
  );
}
