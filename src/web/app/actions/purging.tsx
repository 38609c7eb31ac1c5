/**
 * Deleting photos for ever, which always asks first, because it cannot be
 * undone.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../faults.ts";
import type { Noun } from "../list.ts";
import { Button } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { overlay } from "../parts/overlays.tsx";
import { toast } from "../parts/toasts.tsx";
import { vault } from "../vault.ts";
import { messages } from "../messages.ts";
import { refused } from "./refused.ts";

/**
 * Deletes photos for ever once the person agrees. Resolves when the person has
 * decided.
 */
export function askPurge(
  ids: readonly string[],
  noun: Noun,
): Promise<void> {
  const { trash } = messages.value;
  return ask(
    trash.purgeTitle({ n: ids.length, noun }),
    trash.purge,
    async () => {
      const { failed, fault } = await vault().photos.purge(ids);
      if (fault !== undefined) toast(refused(failed, fault, noun));
      if (failed < ids.length) {
        toast(
          trash.purged({ n: ids.length - failed, noun }),
        );
      }
    },
  );
}

/** Asks in the same way, and empties the whole trash. */
export function askEmpty(count: number, noun: Noun): Promise<void> {
  const { trash } = messages.value;
  return ask(trash.emptyTitle({ n: count, noun }), trash.emptyNow, async () => {
    toast(trash.purged({ n: await vault().photos.emptyTrash(), noun }));
  });
}

function ask(
  title: string,
  agree: string,
  act: () => Promise<void>,
): Promise<void> {
  return new Promise((resolve) => {
    overlay((close) => (
      <Sure
        title={title}
        agree={agree}
        act={act}
        close={() => {
          close();
          resolve();
        }}
      />
    ));
  });
}

function Sure(
  { title, agree, act, close }: {
    readonly title: string;
    readonly agree: string;
    readonly act: () => Promise<void>;
    readonly close: () => void;
  },
) {
  const { trash, common } = messages.value;
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button
            kind="danger"
            icon="trash"
            busy={busy}
            onClick={async () => {
              setBusy(true);
              await act().catch((error) => toast(faultText(error)));
              close();
            }}
          >
            {agree}
          </Button>
        </>
      }
    >
      <p>{trash.purgeWhy}</p>
    </Dialog>
  );
}
