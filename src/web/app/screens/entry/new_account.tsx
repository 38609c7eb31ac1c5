/**
 * The second half of sign-up: making the keys of an account that has none. On
 * plain http a browser can keep them only under a phrase, so it asks for one
 * first. The 24 words are asked for later, when there is something to lose.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { ownConnection } from "../../own_connection.ts";
import { Button, Spinner } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { goInstead, href, route } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Card } from "./card.tsx";
import { askToLast } from "./lasting.ts";
import { PhraseField } from "./phrase_field.tsx";

/** The page of an account without keys. */
export function NewAccount() {
  return ownConnection() === "safe" ? <Making /> : <Browser />;
}

/** Nothing is asked; a failure is said, and can be tried again. */
function Making() {
  const { common, entry } = messages.value;
  const doing = useDoing();
  const make = () => doing.run(() => finish(undefined));
  useEffect(() => {
    make();
  }, []);
  if (doing.fault === undefined) {
    return (
      <div class="page-centre" aria-busy="true">
        <Spinner />
        <p class="quiet small" role="status">{entry.making}</p>
      </div>
    );
  }
  return (
    <Card title={entry.signUp} onSubmit={make}>
      <Refused doing={doing} />
      <Button kind="main" type="submit" busy={doing.busy}>
        {common.retry}
      </Button>
      <StartOver />
    </Card>
  );
}

/** Asks for the phrase under which this browser keeps the keys. */
function Browser() {
  const { entry } = messages.value;
  const doing = useDoing();
  const [value, setValue] = useState("");
  return (
    <Card
      title={entry.browserTitle}
      step={[2, 2]}
      onSubmit={() => doing.run(() => finish(value))}
    >
      <p class="quiet">{entry.browserNeeded}</p>
      <p>{entry.phraseForgotten}</p>
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
      </div>
      {doing.busy && <p class="quiet small" role="status">{entry.making}</p>}
      <StartOver />
    </Card>
  );
}

/** Who it is for; and a way out, as nothing was made yet. */
function StartOver() {
  const { entry } = messages.value;
  const address = sessionState.value?.address ?? "";
  return (
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
  );
}

async function finish(unlockPhrase: string | undefined): Promise<void> {
  const done = await vault().session.finishSignUp(unlockPhrase);
  // Only this browser has the key until another device gets it.
  askToLast();
  if (route.value.path[0] !== "photos") goInstead(href("photos"));
  sessionState.value = done;
}
