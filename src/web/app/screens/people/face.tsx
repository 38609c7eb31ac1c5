/**
 * A face: a round piece of the small picture of a photo.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { FaceShown } from "../../../workers/finding/face_calls.ts";
import { Icon } from "../../parts/icon.tsx";
import { useThumb } from "../../thumbs.ts";

/** How much of the picture is around the face, in its own size. */
const AROUND = 1.7;

/** The face, as large as its place. */
export function Face({ face }: { readonly face: FaceShown }) {
  const thumb = useThumb(face.photo);
  const [size, setSize] = useState<readonly [number, number]>();
  return (
    <span class="portrait">
      {thumb.state === "here"
        ? (
          <img
            src={thumb.url}
            alt=""
            style={size === undefined
              ? { visibility: "hidden" }
              : placed(face, size)}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize([naturalWidth, naturalHeight])}
          />
        )
        : thumb.state === "coming"
        ? null
        : <Icon name="account" size={32} />}
    </span>
  );
}

/** How the whole picture lies behind the round piece. */
function placed(
  { box }: FaceShown,
  [width, height]: readonly [number, number],
): Record<string, string> {
  const side = Math.min(
    width,
    height,
    Math.max(box.width * width, box.height * height) * AROUND,
  );
  const from = (middle: number, whole: number) =>
    Math.min(Math.max(middle * whole - side / 2, 0), whole - side);
  const left = from(box.x + box.width / 2, width);
  const top = from(box.y + box.height / 2, height);
  const percent = (part: number) => `${part / side * 100}%`;
  return {
    width: percent(width),
    height: percent(height),
    left: percent(-left),
    top: percent(-top),
  };
}
