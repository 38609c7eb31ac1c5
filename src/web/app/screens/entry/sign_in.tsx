/**
 * Signing in: by password and a code, or at an identity provider.
 *
 * @module
 */
import type { Signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { AppConfig } from "../../../../client/api/public_calls.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { waitingLink } from "../../joining.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field } from "../../parts/form.tsx";
import { leaveFor, type Returned } from "../../provider.ts";
import { goInstead, href } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { DropKeys } from "../unlock/drop_keys.tsx";
import { browserName } from "./browser_name.ts";
import { Card } from "./card.tsx";
import { noteLeft, wasForgotten } from "./forgetting.ts";
import { typedAddress } from "./typed_address.ts";

/** The ways to sign in that this server has. */
export function SignIn(
  { config, returned }: {
    readonly config: AppConfig | undefined;
    readonly returned: Signal<Returned | undefined>;
  },
) {
  const { entry } = messages.value;
  const doing = useDoing();
  const address = typedAddress.value;
  const [password, setPassword] = useState("");
  const [forgets, setForgets] = useState(false);
  const ended = sessionState.value?.ended === true;
  useEffect(() => {
    // Whose session was ended signs in again, and need not type who they are.
    const { address: known = "" } = sessionState.value ?? {};
    if (ended && typedAddress.value === "") typedAddress.value = known;
  }, [ended]);
  const isIn = () => {
    if (route0() === "sign-in" || route0() === "") goInstead(href("photos"));
  };
  useEffect(() => {
    const came = returned.value;
    if (came === undefined) return;
    returned.value = undefined;
    doing.run(async () => {
      try {
        sessionState.value = await vault().session.signInReturned(
          came.address,
          came.state,
          browserName(),
        );
        isIn();
      } catch (error) {
        const gone = error instanceof ThreadError &&
          error.fault.kind === "NotSignedIn";
        if (!gone) throw error;
        doing.refuse(entry.providerFailed);
      }
    });
  }, []);
  const submit = () =>
    doing.run(async () => {
      try {
        sessionState.value = await vault().session.signIn({
          address: address.trim(),
          password,
          browser: browserName(),
        });
        typedAddress.value = "";
        isIn();
      } catch (error) {
        // A person who cancels the code stays on this page.
        const gone = error instanceof ThreadError &&
          error.fault.kind === "NotSignedIn";
        if (!gone) throw error;
      }
    });
  const leave = () =>
    doing.run(async () => {
      const asked = await vault().session.askProvider();
      leaveFor(asked.authorizationUrl, asked.state);
    });
  return (
    <Card
      title={ended ? entry.endedTitle : entry.signIn}
      {...(ended ? {} : { back: "#/" })}
      onSubmit={submit}
    >
      {ended && <p class="quiet">{entry.ended}</p>}
      {wasForgotten() && <Notice kind="info">{entry.forgotten}</Notice>}
      {waitingLink.value !== undefined && (
        <Notice kind="info">{entry.joinFirst}</Notice>
      )}
      <Field
        label={entry.address}
        type="email"
        autocomplete="username"
        inputMode="email"
        required
        autofocus={address === ""}
        value={address}
        onInput={(value) => typedAddress.value = value}
      />
      <Field
        label={entry.password}
        type="password"
        autocomplete="current-password"
        required
        // The address came along from signing up.
        autofocus={address !== ""}
        value={password}
        onInput={setPassword}
      />
      <Refused doing={doing} />
      <Button kind="main" type="submit" busy={doing.busy}>
        {doing.busy ? entry.working : entry.signIn}
      </Button>
      {config?.oidc === true && (
        <Button onClick={leave} disabled={doing.busy}>{entry.provider}</Button>
      )}
      {ended
        ? (
          <Button
            kind="quiet"
            onClick={() => setForgets(true)}
          >
            {entry.forget}
          </Button>
        )
        : (
          <>
            <a class="tap small" href={href("sign-up")}>{entry.noAccount}</a>
            <details class="small quiet">
              <summary>{entry.lostPassword}</summary>
              <p>{entry.lostPasswordHow}</p>
            </details>
          </>
        )}
      {forgets && (
        <DropKeys
          from="ended"
          act={async () => {
            const left = await vault().session.forget();
            noteLeft();
            sessionState.value = left;
            goInstead("#/");
          }}
          close={() => setForgets(false)}
        />
      )}
    </Card>
  );
}

function route0(): string {
  return location.hash.replace(/^#\/?/, "").split("/")[0] ?? "";
}
