/**
 * The settings page `contact`: the own contact card, and the people of other
 * servers whose cards are kept.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type {
  CardMade,
  ContactCardShown,
} from "../../workers/abroad/abroad_cards.ts";
import { useLoaded } from "../loaded.ts";
import { messages, timeText } from "../messages.ts";
import { Button, Notice } from "../parts/controls.tsx";
import { useDoing } from "../parts/doing.tsx";
import { Field, Form } from "../parts/form.tsx";
import { overlay } from "../parts/overlays.tsx";
import { saveBlob } from "../saving.ts";
import { Person } from "../screens/albums/person.tsx";
import { Group, Line } from "../screens/settings/parts.tsx";
import { LinkOut } from "../screens/sharing/link_out.tsx";
import { vault } from "../vault.ts";
import { abroadFaultText } from "./fault_text.ts";

const CARD_FILE = "strongroom-contact";

/** The page `contact`. */
export function ContactCardPage() {
  const { abroad } = messages.value;
  const [made, setMade] = useState<CardMade>();
  const { fault, run } = useDoing(abroadFaultText);
  const cards = useLoaded(() => vault().abroad.cards(), [made]);
  const contacts = useLoaded(() => vault().abroad.contacts(), []);
  const day = (at: string) => timeText(at, { dateStyle: "long" });
  const live = cards.value ?? [];
  const people = contacts.value ?? [];
  return (
    <>
      <Group why={abroad.ownWhy}>
        {made === undefined
          ? <MakeCard onMade={setMade} />
          : (
            <div class="stack">
              <p>{abroad.sendCard({ day: day(made.expiresAt) })}</p>
              <LinkOut url={made.link} title="" />
              <div class="actions start">
                <Button
                  icon="download"
                  onClick={() => saveBlob(made.file, `contact.${CARD_FILE}`)}
                >
                  {abroad.saveCard}
                </Button>
              </div>
            </div>
          )}
      </Group>
      {fault !== undefined && <Notice>{fault}</Notice>}
      {live.length > 0 && (
        <Group title={abroad.liveCards}>
          {live.map(({ id, expiresAt }) => (
            <Line key={id} name={abroad.goodUntil({ day: day(expiresAt) })}>
              <Button
                onClick={() =>
                  run(async () => {
                    await vault().abroad.withdraw(id);
                    setMade(undefined);
                    cards.again();
                  })}
              >
                {abroad.withdraw}
              </Button>
            </Line>
          ))}
        </Group>
      )}
      {people.length > 0 && (
        <Group title={abroad.people}>
          {people.map((one) => (
            <Contact
              key={one.member}
              contact={one}
              onCompared={contacts.again}
              onForget={() =>
                run(async () => {
                  await vault().abroad.forget(one.member);
                  contacts.again();
                })}
            />
          ))}
        </Group>
      )}
    </>
  );
}

function MakeCard({ onMade }: { readonly onMade: (card: CardMade) => void }) {
  const { abroad } = messages.value;
  const own = useLoaded(
    () => vault().sharing.ownName().catch(() => ""),
    [],
  ).value;
  const [typed, setTyped] = useState<string>();
  const { busy, fault, run } = useDoing(abroadFaultText);
  const make = () =>
    run(async () =>
      onMade(await vault().abroad.makeCard((typed ?? own ?? "").trim()))
    );
  return (
    <Form class="stack" onSubmit={make}>
      <Field
        label={abroad.ownName}
        value={typed ?? own ?? ""}
        maxLength={80}
        autocomplete="name"
        onInput={setTyped}
      />
      {fault !== undefined && <Notice>{fault}</Notice>}
      <div class="actions start">
        <Button kind="main" type="submit" busy={busy}>{abroad.makeCard}</Button>
      </div>
    </Form>
  );
}

function Contact(
  { contact, onCompared, onForget }: {
    readonly contact: ContactCardShown;
    readonly onCompared: () => void;
    readonly onForget: () => void;
  },
) {
  const { abroad, albums, common } = messages.value;
  const { member, name = albums.somebody, host, comparedAt } = contact;
  const compare = () =>
    overlay((close) => {
      const end = () => {
        close();
        onCompared();
      };
      return <Person userId={member} onBack={end} onClose={end} />;
    });
  return (
    <Line
      name={name}
      value={
        <>
          {abroad.on({ host })} ·{" "}
          {comparedAt === undefined ? albums.notChecked : albums.checkedAt({
            when: timeText(comparedAt, { dateStyle: "long" }),
          })}
        </>
      }
    >
      <div class="actions">
        <Button onClick={compare}>{abroad.compareNow}</Button>
        <Button onClick={onForget}>{common.remove}</Button>
      </div>
    </Line>
  );
}
