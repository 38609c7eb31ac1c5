/**
 * A code that is typed on a picture frame, which gets its link by it.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Notice } from "../../parts/controls.tsx";
import { pairing, vault } from "../../vault.ts";
import { Refused, useDoing } from "../entry/card.tsx";
import { Compare } from "../unlock/compare.tsx";
import { Working } from "../unlock/working.tsx";
import { messages, timeText } from "../../messages.ts";

/** Shows a code when it is asked for, and the words to compare. */
export function FrameCode({ url }: { readonly url: string }) {
  const { common, entry, pictureFrame, settings } = messages.value;
  const doing = useDoing();
  const [isDone, setDone] = useState(false);
  const give = async () => {
    setDone(false);
    setDone(await doing.run(() => vault().session.giveFrame(url)));
  };
  const isGiving = useRef(false);
  isGiving.current = doing.busy;
  useEffect(() => () => {
    if (isGiving.current) vault().session.pairingStop();
  }, []);
  const state = pairing.value;
  // It is at the end of a long dialog, and the other device waits.
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (doing.busy) box.current?.scrollIntoView({ block: "nearest" });
  }, [doing.busy, state.step]);
  if (!doing.busy) {
    return (
      <div class="stack">
        <Refused doing={doing} />
        {isDone && <Notice kind="info">{pictureFrame.typeDone}</Notice>}
        <div class="actions start">
          <Button onClick={give}>{pictureFrame.typeCode}</Button>
        </div>
      </div>
    );
  }
  return (
    <div class="stack" ref={box}>
      <Refused doing={doing} />
      {state.step === "code"
        ? (
          <>
            <p>
              {pictureFrame.typeHow({
                address: `${new URL(url).origin}/#/frame`,
              })}
            </p>
            <p class="typed-code">
              <strong translate={false}>{state.code}</strong>
            </p>
            <p class="quiet small">
              {settings.addUntil({
                time: timeText(state.expiresAt, { timeStyle: "short" }),
              })}
            </p>
          </>
        )
        : state.step === "compare"
        ? (
          <>
            <h2>{entry.sameTitle}</h2>
            <Compare words={state.words} />
          </>
        )
        : <Working connecting={settings.addWorking} />}
      {state.step !== "compare" && (
        <div class="actions start">
          <Button kind="quiet" onClick={() => vault().session.pairingStop()}>
            {common.cancel}
          </Button>
        </div>
      )}
    </div>
  );
}
