/**
 * Letting a person of another server into an own album: their card, the number
 * to compare, and the link to hand on.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type {
  CardRead,
  ContactCardShown,
  LetIn,
} from "../../workers/abroad/abroad_cards.ts";
import { useLoaded } from "../loaded.ts";
import { messages, timeText } from "../messages.ts";
import { Button, Notice, Spinner } from "../parts/controls.tsx";
import { Check } from "../parts/choices.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useDoing } from "../parts/doing.tsx";
import { SafetyNumber } from "../screens/albums/safety_number.tsx";
import { LinkOut } from "../screens/sharing/link_out.tsx";
import { vault } from "../vault.ts";
import { CardForm } from "./card_form.tsx";
import { abroadFaultText } from "./fault_text.ts";

/** The dialog; with a member, it shows their invitation again. */
export function InviteAbroad(
  { albumId, member, onBack, onClose }: {
    readonly albumId: string;
    readonly member?: string;
    readonly onBack: () => void;
    readonly onClose: () => void;
  },
) {
  const { abroad, albums, common } = messages.value;
  const contacts = useLoaded(() => vault().abroad.contacts(), []);
  const [read, setRead] = useState<CardRead & { readonly outcome: "read" }>();
  const [made, setMade] = useState<LetIn>();
  const link = made?.link;
  const { busy, fault, run, refuse } = useDoing(abroadFaultText);
  const [isSmall, setSmall] = useState(false);
  const known = contacts.value?.find((one) => one.member === member);
  const contact = read?.contact ?? known;
  const name = contact?.name ?? albums.somebody;
  const show = (make: () => Promise<LetIn>) =>
    run(async () => setMade(await make()));
  useEffect(() => {
    if (member === undefined) return;
    show(async () => ({
      link: await vault().abroad.linkAgain(albumId, member),
      isTold: false,
    }));
  }, [member]);
  const isWaiting = member !== undefined && link === undefined &&
    fault === undefined;
  return (
    <Dialog
      title={contact === undefined ? abroad.someone : name}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onBack}>
            {link === undefined ? common.back : common.done}
          </Button>
          {link === undefined && contact !== undefined && !isWaiting && (
            <Button
              kind="main"
              busy={busy}
              onClick={() =>
                show(() =>
                  vault().abroad.invite(albumId, contact.member, isSmall)
                )}
            >
              {abroad.letIn({ name })}
            </Button>
          )}
        </>
      }
    >
      {isWaiting && <Spinner />}
      {fault !== undefined && <Notice>{fault}</Notice>}
      {made !== undefined && (
        <>
          <p>
            {made.isTold ? abroad.findsIt({ name }) : abroad.sendLink({ name })}
          </p>
          <LinkOut url={made.link} title="" />
        </>
      )}
      {contact !== undefined && (
        <Compare
          contact={contact}
          onCompared={contacts.again}
        >
          {link === undefined && (
            <>
              <p class="quiet">{abroad.on({ host: contact.host })}</p>
              {read?.asked === false && (
                <Notice kind="warn">
                  {abroad.notAsked({ host: contact.host })}
                </Notice>
              )}
              <p>{abroad.reads({ name })}</p>
              {member === undefined && (
                <Check
                  label={abroad.small}
                  checked={isSmall}
                  onChange={setSmall}
                >
                  {abroad.smallPromise}
                </Check>
              )}
            </>
          )}
        </Compare>
      )}
      {contact === undefined && member === undefined && (
        <>
          {(contacts.value ?? []).length > 0 && (
            <section class="stack">
              <h3>{abroad.known}</h3>
              <ul class="lines">
                {contacts.value?.map((one) => (
                  <li class="line" key={one.member}>
                    <span class="line-text">
                      <span>{one.name ?? albums.somebody}</span>
                      <span class="quiet small">
                        {abroad.on({ host: one.host })}
                      </span>
                    </span>
                    <Button
                      onClick={() =>
                        setRead({
                          outcome: "read",
                          contact: one,
                          asked: true,
                        })}
                    >
                      {abroad.read}
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <p>{abroad.askCard}</p>
          <CardForm
            onRead={(one) => {
              refuse(undefined);
              setRead(one);
              contacts.again();
            }}
          />
        </>
      )}
    </Dialog>
  );
}

/** The number of a person of another server, and whether it was compared. */
export function Compare(
  { contact, onCompared, children }: {
    readonly contact: ContactCardShown;
    readonly onCompared: () => void;
    readonly children?: ComponentChildren;
  },
) {
  const { abroad, albums } = messages.value;
  const { member, name = albums.somebody, safetyNumber } = contact;
  const [comparedAt, setComparedAt] = useState(contact.comparedAt);
  const { fault, run } = useDoing(abroadFaultText);
  const compared = () =>
    run(async () => {
      await vault().people.compared(member);
      setComparedAt((await vault().people.person(member)).comparedAt);
      onCompared();
    });
  return (
    <>
      {children}
      {comparedAt === undefined
        ? (
          <>
            <p>{abroad.compare({ name })}</p>
            <SafetyNumber number={safetyNumber} />
            <p class="quiet">{abroad.notCompared}</p>
            <div class="actions start">
              <Button icon="check" onClick={compared}>{albums.same}</Button>
            </div>
          </>
        )
        : (
          <Notice kind="good">
            {albums.checkedAt({
              when: timeText(comparedAt, { dateStyle: "long" }),
            })}
          </Notice>
        )}
      {fault !== undefined && <Notice>{fault}</Notice>}
    </>
  );
}
