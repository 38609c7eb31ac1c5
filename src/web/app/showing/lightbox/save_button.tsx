/**
 * The button that saves a file which this browser cannot show.
 *
 * @module
 */
import type { PhotoInfo } from "../../list.ts";
import { Button } from "../../parts/controls.tsx";
import { saveOne } from "../../saving/saving.ts";
import { messages } from "../../messages.ts";

/** The button. */
export function SaveButton({ info }: { readonly info: PhotoInfo }) {
  return (
    <Button icon="download" kind="main" onClick={() => saveOne(info)}>
      {messages.value.lightbox.download}
    </Button>
  );
}
