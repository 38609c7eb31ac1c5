/**
 * Making recovery words for an account that has none yet, or replacing them.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { toast } from "../../parts/toasts.tsx";
import { goBack, goInstead, href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { messages as texts } from "../../messages.ts";
import { Card } from "./card.tsx";
import { RecoveryWordsCheck } from "./recovery_words_check.tsx";
import { RecoveryWordsSheet } from "./recovery_words_sheet.tsx";

/** The view at `#/words`. */
export function NewRecoveryWords() {
  const { common, entry } = texts.value;
  const doing = useDoing();
  const [words, setWords] = useState<string>();
  const [step, setStep] = useState<"words" | "check" | "done">("words");
  useEffect(() => {
    vault().session.newWords().then(setWords);
  }, []);
  if (words === undefined) return null;
  const keep = async () => {
    const kept = await doing.run(() => vault().session.keepWords(words));
    if (!kept) return;
    toast(entry.wordsKept);
    goInstead(href("photos"));
  };
  if (step === "check") {
    return (
      <RecoveryWordsCheck
        words={words}
        title={entry.checkTitle}
        onBack={() => setStep("words")}
        onRight={() => {
          setStep("done");
          keep();
        }}
      />
    );
  }
  return (
    <Card
      wide
      title={step === "done" ? entry.wordsKeeping : entry.wordsTitle}
      onSubmit={() => step === "done" ? keep() : setStep("check")}
    >
      {step === "words" && (
        <>
          <p class="quiet">{entry.wordsWhy}</p>
          <RecoveryWordsSheet words={words} />
        </>
      )}
      <Refused doing={doing} />
      <div class="actions">
        <Button kind="main" type="submit" busy={doing.busy}>
          {step === "done" ? common.retry : entry.wordsDone}
        </Button>
        <Button kind="quiet" onClick={goBack}>
          {common.cancel}
        </Button>
      </div>
    </Card>
  );
}
