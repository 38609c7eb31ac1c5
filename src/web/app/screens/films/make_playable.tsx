/**
 * The dialog that makes films playable everywhere.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { messages } from "../../messages.ts";
import { type Copied, copyFilms, type Copying } from "./copying.ts";
import { CopyingProgress } from "./copying_progress.tsx";
import { NotCopied } from "./not_copied.tsx";

/** Asks, and makes the films among some photos playable everywhere. */
export function makePlayable(ids: readonly string[]): void {
  overlay((close) => <MakePlayable ids={ids} onClose={close} />);
}

function MakePlayable(
  { ids, onClose }: {
    readonly ids: readonly string[];
    readonly onClose: () => void;
  },
) {
  const { films, common } = messages.value;
  const ending = useRef<AbortController | undefined>(undefined);
  const [copying, setCopying] = useState<Copying>();
  const [isBusy, setBusy] = useState(false);
  const [copied, setCopied] = useState<Copied>();
  const [fault, setFault] = useState<string>();
  useEffect(() => () => ending.current?.abort(), []);
  const begin = async () => {
    const { signal } = ending.current = new AbortController();
    setBusy(true);
    setFault(undefined);
    try {
      setCopied(
        await copyFilms(ids, "playable", { signal, onProgress: setCopying }),
      );
    } catch (error) {
      if (!signal.aborted) setFault(faultText(error));
    } finally {
      setBusy(false);
      setCopying(undefined);
    }
  };
  if (copied !== undefined) {
    const { made, needless, not, failed } = copied;
    const isNothing = made + needless + not.length + failed === 0;
    return (
      <Dialog
        title={films.title}
        onClose={onClose}
        actions={<Button kind="main" onClick={onClose}>{common.close}</Button>}
      >
        {made > 0 && <Notice kind="good">{films.made({ n: made })}</Notice>}
        {needless > 0 && (
          <Notice kind="info">{films.needless({ n: needless })}</Notice>
        )}
        <NotCopied copied={copied} />
        {isNothing && <p>{films.nothing}</p>}
      </Dialog>
    );
  }
  return (
    <Dialog
      title={films.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          {!isBusy && <Button kind="main" onClick={begin}>{films.begin}
          </Button>}
        </>
      }
    >
      {isBusy ? <CopyingProgress copying={copying} /> : (
        <>
          <p>{films.what}</p>
          <p class="quiet">{films.beside}</p>
        </>
      )}
      {fault !== undefined && <Notice>{fault}</Notice>}
    </Dialog>
  );
}
