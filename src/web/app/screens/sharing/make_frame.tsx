/**
 * Making a picture frame of an album.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { FollowedList } from "../../../../library/sharing/link_notes.ts";
import { faultText } from "../../faults.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { sharingList } from "../settings/library_doubt.tsx";
import { LinkOut } from "./link_out.tsx";

/** Asks for a name, and shows the code that sets the frame up. */
export function makeFrame(source: FollowedList): void {
  overlay((close) => <MakeFrame source={source} onClose={close} />);
}

function MakeFrame(
  { source, onClose }: {
    readonly source: FollowedList;
    readonly onClose: () => void;
  },
) {
  const { pictureFrame, common } = messages.value;
  const [name, setName] = useState(pictureFrame.usualName);
  const [url, setUrl] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      await sharingList(async () => {
        const made = await vault().sharing.frame(
          source,
          name.trim() || pictureFrame.usualName,
        );
        if (made === undefined) setFault(pictureFrame.noPhotos);
        else setUrl(made.url);
      });
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setBusy(false);
    }
  };
  if (url !== undefined) {
    return (
      <Dialog title={pictureFrame.made} onClose={onClose}>
        <p>
          {pictureFrame.madeHow({ address: `${new URL(url).origin}/#/frame` })}
        </p>
        <LinkOut url={url} title={name} showsCode />
        <p class="quiet">{pictureFrame.madeHint}</p>
      </Dialog>
    );
  }
  return (
    <Dialog title={pictureFrame.title} onClose={onClose}>
      <Form onSubmit={make}>
        <p>
          {source.kind === "favourites"
            ? pictureFrame.aboutFavourites
            : pictureFrame.about}
        </p>
        <Field
          label={pictureFrame.name}
          value={name}
          maxLength={200}
          onInput={setName}
        />
        {fault !== undefined && <Notice kind="warn">{fault}</Notice>}
        <div class="actions">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy}>
            {pictureFrame.make}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
