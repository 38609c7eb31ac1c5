/**
 * The second half of sign-up: the recovery words, a check of three of them, a
 * phrase, and this browser. The vault remembers the step, so that a reload
 * continues there.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { Draft } from "../../../workers/vault/draft.ts";
import { ownConnection } from "../../own_connection.ts";
import { faultText } from "../../faults.ts";
import { Button, Notice, Spinner } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { goInstead, href, route } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Card, Refused, useDoing } from "./card.tsx";
import { askToLast } from "./lasting.ts";
import { PhraseField } from "./phrase_field.tsx";
import { signUpSteps } from "./steps.ts";
import { WordsCheck } from "./words_check.tsx";
import { WordsSheet } from "./words_sheet.tsx";

/** The present step. */
export function NewAccount() {
  const { common } = messages.value;
  const [draft, setDraft] = useState<Draft>();
  const [fault, setFault] = useState<unknown>();
  const [phrase, setPhrase] = useState("");
  const [atBrowser, setAtBrowser] = useState(false);
  useEffect(() => {
    vault().session.draft().then(setDraft, setFault);
  }, []);
  const save = (next: Partial<Draft>) => {
    if (draft === undefined) return;
    const changed = { ...draft, ...next };
    setDraft(changed);
    vault().session.saveDraft(changed).catch(setFault);
  };
  if (fault !== undefined) return <Notice>{faultText(fault)}</Notice>;
  if (draft === undefined) {
    return (
      <div class="page-centre" aria-busy="true">
        <Spinner />
        <span class="unseen">{common.loading}</span>
      </div>
    );
  }
  if (atBrowser) return <Browser draft={draft} phrase={phrase} />;
  switch (draft.step) {
    case "words":
      return <Words draft={draft} save={save} />;
    case "check":
      return <Check draft={draft} save={save} />;
    case "phrase":
      return (
        <Phrase
          draft={draft}
          save={save}
          value={phrase}
          onInput={setPhrase}
          onBrowser={() => setAtBrowser(true)}
        />
      );
  }
}

interface StepProps {
  readonly draft: Draft;
  readonly save: (next: Partial<Draft>) => void;
}

function Words({ draft, save }: StepProps) {
  const { common, entry, secrets } = messages.value;
  const address = sessionState.value?.address ?? "";
  const [asks, setAsks] = useState(false);
  return (
    <Card
      wide
      title={entry.wordsTitle}
      step={[2, signUpSteps()]}
      onSubmit={() => save({ step: "check", later: false })}
    >
      <p class="quiet">{entry.wordsWhy} {secrets.wordsFor}</p>
      <WordsSheet words={draft.words} />
      <div class="actions">
        <Button kind="main" type="submit">{entry.wordsDone}</Button>
        <Button kind="quiet" onClick={() => setAsks(true)}>
          {entry.wordsLater}
        </Button>
      </div>
      <p class="small quiet">
        {address !== "" && `${entry.signedUpAs({ address })} `}
        <button
          type="button"
          class="link"
          onClick={() => {
            goInstead("#/");
            vault().session.signOut();
          }}
        >
          {entry.startOver}
        </button>
      </p>
      {asks && (
        <Dialog
          title={entry.wordsLaterTitle}
          onClose={() => setAsks(false)}
          actions={
            <>
              <Button
                onClick={() => {
                  askToLast();
                  save({ step: "phrase", later: true });
                }}
              >
                {entry.wordsLater}
              </Button>
              <Button kind="main" onClick={() => setAsks(false)}>
                {common.back}
              </Button>
            </>
          }
        >
          <p>{entry.wordsLaterWhy}</p>
        </Dialog>
      )}
    </Card>
  );
}

function Check({ draft, save }: StepProps) {
  const { entry } = messages.value;
  return (
    <WordsCheck
      words={draft.words}
      step={[3, signUpSteps()]}
      onBack={() => save({ step: "words" })}
      onRight={() => save({ step: "phrase" })}
      title={entry.checkTitle}
    />
  );
}

function Phrase(
  { draft, save, value, onInput, onBrowser }: StepProps & {
    readonly value: string;
    readonly onInput: (value: string) => void;
    readonly onBrowser: () => void;
  },
) {
  const { entry, secrets } = messages.value;
  const doing = useDoing();
  const next = (phrase: string | undefined) =>
    doing.run(async () => {
      if (phrase !== undefined) await vault().session.checkPhrase(phrase);
      if (ownConnection() === "safe") return await finish({ phrase });
      onInput(phrase ?? "");
      onBrowser();
    });
  return (
    <Card
      title={entry.phraseTitle}
      step={[4, signUpSteps()]}
      onSubmit={() => next(value)}
    >
      <p class="quiet">
        {entry.phraseWhy} {secrets.sentenceFor} {entry.phraseLater}
      </p>
      <PhraseField
        label={entry.phrase}
        hint={entry.phraseHint}
        value={value}
        onInput={onInput}
      />
      <Refused doing={doing} />
      <div class="actions">
        <Button
          kind={value === "" ? "plain" : "main"}
          type="submit"
          busy={doing.busy && value !== ""}
          disabled={value === "" || doing.busy}
        >
          {entry.withPhrase}
        </Button>
        <Button
          kind={value === "" ? "main" : "quiet"}
          busy={doing.busy && value === ""}
          disabled={doing.busy}
          onClick={() => {
            onInput("");
            next(undefined);
          }}
        >
          {entry.withoutPhrase}
        </Button>
      </div>
      {doing.busy && <p class="quiet small" role="status">{entry.making}</p>}
      {draft.later === true && (
        <p class="small">
          <button
            type="button"
            class="link"
            onClick={() => save({ step: "words", later: false })}
          >
            {entry.wordsAgain}
          </button>
        </p>
      )}
    </Card>
  );
}

/**
 * On plain http, asks whether this browser should keep the key, and under which
 * phrase.
 */
function Browser(
  { draft, phrase }: { readonly draft: Draft; readonly phrase: string },
) {
  const { entry, secrets } = messages.value;
  const doing = useDoing();
  const [value, setValue] = useState("");
  const needed = draft.later === true;
  const given = phrase === "" ? undefined : phrase;
  return (
    <Card
      title={entry.browserTitle}
      step={[5, signUpSteps()]}
      onSubmit={() =>
        doing.run(() => finish({ phrase: given, unlockPhrase: value }))}
    >
      <p class="quiet">
        {needed ? entry.browserNeeded : entry.browserWhy} {secrets.browserFor}
      </p>
      <PhraseField
        label={entry.unlockPhrase}
        hint={entry.unlockPhraseHint}
        value={value}
        onInput={setValue}
        required
      />
      <Refused doing={doing} />
      <div class="actions">
        <Button kind="main" type="submit" busy={doing.busy}>
          {entry.withUnlockPhrase}
        </Button>
        {!needed && (
          <Button
            kind="quiet"
            disabled={doing.busy}
            onClick={() => doing.run(() => finish({ phrase: given }))}
          >
            {entry.withoutUnlockPhrase}
          </Button>
        )}
      </div>
      {doing.busy && <p class="quiet small" role="status">{entry.making}</p>}
    </Card>
  );
}

async function finish(
  { phrase, unlockPhrase }: {
    readonly phrase: string | undefined;
    readonly unlockPhrase?: string;
  },
): Promise<void> {
  const done = await vault().session.finishSignUp({
    ...(phrase === undefined ? {} : { phrase }),
    ...(unlockPhrase === undefined ? {} : { unlockPhrase }),
  });
  // Only this browser has the key until another device gets it.
  askToLast();
  if (route.value.path[0] !== "photos") goInstead(href("photos"));
  sessionState.value = done;
}
