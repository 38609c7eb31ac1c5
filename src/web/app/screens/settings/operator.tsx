/**
 * The settings page `operator`: how the server does, its people, and who is
 * invited. Nothing on it destroys.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type {
  OpenInvitation,
  OperatedPerson,
  Overview,
} from "../../../../client/api/operator_calls.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { vault } from "../../vault.ts";
import { fetchedTexts, language, messages } from "../../messages.ts";
import { type Sentences, sentencesIn } from "./finding_messages.ts";
import { Group, Waiting } from "./parts.tsx";
import { OperatorState, Room } from "./operator_state.tsx";
import { People } from "./operator_people.tsx";
import { Invitations } from "./operator_invitations.tsx";

const NOT_PRESENTED = "error.auth.reauthentication_required";

function isNotPresented(error: unknown): boolean {
  return error instanceof ThreadError && error.fault.code === NOT_PRESENTED;
}

interface Seen {
  readonly me: string;
  readonly overview: Overview;
  readonly people: readonly OperatedPerson[];
  readonly invitations: readonly OpenInvitation[];
  readonly sentences: Sentences;
}

async function look(): Promise<Seen> {
  const { operator, settings } = vault();
  const [{ user_id: me }, overview, people, invitations, sentences] =
    await Promise.all([
      settings.profile(),
      operator.overview(),
      operator.people(),
      operator.invitations(),
      sentencesIn(
        language.value,
        (tag) => fetchedTexts(tag, "findings"),
      ),
    ]);
  return { me, overview, people, invitations, sentences };
}

/** The page `operator`. */
export function Operator() {
  const loaded = useLoaded(look, []);
  if (isNotPresented(loaded.error)) return <Present again={loaded.again} />;
  if (loaded.value === undefined) return <Waiting loaded={loaded} />;
  const { me, overview, people, invitations, sentences } = loaded.value;
  const { again } = loaded;
  return (
    <>
      <OperatorState overview={overview} sentences={sentences} />
      <People
        people={people}
        me={me}
        again={again}
      />
      <Invitations
        invitations={invitations}
        hasMail={overview.mail}
        again={again}
      />
      <Room overview={overview} />
    </>
  );
}

/** Asks for the password and a code. */
function Present({ again }: { readonly again: () => void }) {
  const { operator } = messages.value;
  const doing = useDoing();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const profile = useLoaded(() => vault().settings.profile(), []).value;
  if (profile !== undefined && profile.second_factor !== "confirmed") {
    return <Notice kind="info">{operator.noFactor}</Notice>;
  }
  const go = async () => {
    const isDone = await doing.run(() =>
      vault().operator.present(password, code.replaceAll(" ", ""))
    );
    if (isDone) again();
  };
  return (
    <Group title={operator.presentTitle} why={operator.presentWhy}>
      <Form onSubmit={go} class="stack">
        <Field
          label={operator.password}
          type="password"
          autocomplete="current-password"
          required
          value={password}
          onInput={setPassword}
        />
        <Field
          label={operator.code}
          autocomplete="one-time-code"
          inputMode="numeric"
          required
          value={code}
          onInput={setCode}
        />
        <Refused doing={doing} />
        <div class="actions">
          <Button kind="main" type="submit" busy={doing.busy}>
            {operator.present}
          </Button>
        </div>
      </Form>
    </Group>
  );
}
