/**
 * The page of a locked browser, which asks for the browser phrase.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field } from "../../parts/form.tsx";
import { go } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Card } from "../entry/card.tsx";
import { noteLeft } from "../entry/forgetting.ts";
import { DropKeys } from "./drop_keys.tsx";

/** The lock. */
export function Sealed() {
  const { entry } = messages.value;
  const doing = useDoing();
  const [typed, setTyped] = useState("");
  const [asks, setAsks] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const open = () => {
    setWrong(undefined);
    doing.run(async () => {
      const opened = await vault().session.unlock(typed);
      if (opened === undefined) setWrong(entry.sealedWrong);
      else sessionState.value = opened;
    });
  };
  const forget = async () => {
    const left = await vault().session.forget();
    noteLeft();
    sessionState.value = left;
    go("#/sign-in");
  };
  return (
    <Card title={entry.sealedTitle} onSubmit={open}>
      <p class="quiet">{entry.sealedWhy}</p>
      <Field
        label={entry.unlockPhrase}
        type="password"
        autocomplete="current-password"
        required
        autofocus
        value={typed}
        fault={wrong}
        onInput={setTyped}
      />
      <Refused doing={doing} />
      <Button kind="main" type="submit" busy={doing.busy}>
        {entry.unlock}
      </Button>
      <Button kind="quiet" onClick={() => setAsks(true)}>
        {entry.sealedForget}
      </Button>
      {asks && (
        <DropKeys
          from="sealed"
          act={forget}
          close={() => setAsks(false)}
        />
      )}
    </Card>
  );
}
