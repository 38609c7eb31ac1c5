/**
 * The first step of sign-up: the address and the password.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { AppConfig } from "../../../../client/api/public_calls.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field } from "../../parts/form.tsx";
import { goInstead, href } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { browserName } from "./browser_name.ts";
import { Card } from "./card.tsx";
import { LEAST_CHARS } from "./password_rules.ts";
import { ownConnection } from "../../own_connection.ts";
import { typedAddress } from "./typed_address.ts";

/** Asks for address and password, and for an invitation if one is needed. */
export function SignUp(
  { config, invitation: given }: {
    readonly config: AppConfig | undefined;
    readonly invitation?: string;
  },
) {
  const { entry, secrets } = messages.value;
  const doing = useDoing();
  const address = typedAddress.value;
  const [taken, setTaken] = useState(false);
  const [password, setPassword] = useState("");
  const [invitation, setInvitation] = useState(given ?? "");
  const [addressFault, setAddressFault] = useState<string>();
  const [passwordFault, setPasswordFault] = useState<string>();
  const asksInvitation = given === undefined &&
    config !== undefined && config.registration !== "open";
  const submit = async () => {
    const isAddress = /^[^@\s]+@[^@\s]+$/.test(address.trim());
    setAddressFault(isAddress ? undefined : entry.addressWrong);
    const isLong = [...password].length >= LEAST_CHARS;
    setPasswordFault(isLong ? undefined : entry.passwordShort);
    if (!isAddress || !isLong) return;
    setTaken(false);
    await doing.run(async () => {
      try {
        sessionState.value = await vault().session.register({
          address: address.trim(),
          password,
          browser: browserName(),
          ...(invitation.trim() === ""
            ? {}
            : { invitation: codeOf(invitation) }),
        });
        typedAddress.value = "";
        goInstead(href("photos"));
      } catch (error) {
        setTaken(
          error instanceof ThreadError &&
            error.fault.code === "error.auth.user_already_exists",
        );
        const paths = error instanceof ThreadError ? error.fault.paths : [];
        if (paths?.includes("/password") === true) {
          return setPasswordFault(entry.passwordCommon);
        }
        if (paths?.includes("/address") === true) {
          return setAddressFault(entry.addressWrong);
        }
        throw error;
      }
    });
  };
  return (
    <Card
      title={entry.signUp}
      back="#/"
      {...(ownConnection() === "safe" ? {} : { step: [1, 2] as const })}
      onSubmit={submit}
    >
      {given !== undefined && <Notice kind="good">{entry.invited}</Notice>}
      {asksInvitation && (
        <>
          <p class="quiet">
            {config.registration === "invited"
              ? entry.byInvitation
              : entry.byDomain}
          </p>
          <Field
            label={entry.invitation}
            hint={entry.invitationHint}
            autocomplete="off"
            value={invitation}
            onInput={setInvitation}
          />
        </>
      )}
      <Field
        label={entry.address}
        type="email"
        autocomplete="username"
        inputMode="email"
        required
        autofocus
        value={address}
        fault={addressFault}
        onInput={(value) => typedAddress.value = value}
      />
      <Field
        label={entry.password}
        type="password"
        autocomplete="new-password"
        required
        value={password}
        hint={entry.passwordHint}
        fault={passwordFault}
        onInput={setPassword}
      />
      <Refused doing={doing} />
      {taken && !doing.busy && (
        <a class="tap" href={href("sign-in")}>
          {secrets.takenSignIn}
        </a>
      )}
      <Button kind="main" type="submit" busy={doing.busy}>
        {doing.busy ? entry.working : entry.signUp}
      </Button>
      <a class="tap small" href={href("sign-in")}>{entry.haveAccount}</a>
    </Card>
  );
}

/** The code of an invitation, which may have been pasted as a link. */
function codeOf(invitation: string): string {
  return invitation.trim().replace(/^.*\/(invited|join-as)\//, "");
}
