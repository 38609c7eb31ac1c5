/**
 * `strongroom contact`: people of other servers, by their contact cards.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import {
  addContact,
  type ContactAbroad,
  forgetContact,
  listContacts,
  makeCard,
  withdrawCard,
} from "../../../library/abroad/abroad.ts";
import { IdentityChanged } from "../../../library/mod.ts";
import { counted } from "../../../core/sizes.ts";
import { printable, quoted } from "../../phrasing.ts";
import type { CliContext } from "../cli_context.ts";
import { catchUp } from "../following.ts";
import { qrCodeOf } from "./qr_code.ts";
import { linkOf, type LinkOptions } from "./secret_link.ts";

/** The end of a card's file. */
const CARD_FILE = ".strongroom-contact";
/** The fewest characters of an id that name it. */
const FEWEST = 4;

/** The options of `contact card`. */
export interface CardOptions {
  readonly name?: string;
  readonly days: string;
  readonly file?: string;
  readonly qr?: true;
}

/** Makes a card of one's own. */
export async function makeOwnCard(
  cli: CliContext,
  { name, days, file, qr }: CardOptions,
): Promise<void> {
  await catchUp(cli);
  if (file !== undefined && !file.endsWith(CARD_FILE)) {
    throw new OperatorFault(`--file wants a name that ends in ${CARD_FILE}`);
  }
  const made = await makeCard(cli.library, {
    ...(name === undefined ? {} : { name }),
    days: Number(days),
  });
  if (file !== undefined) {
    await Deno.writeFile(file, made.card, { createNew: true, mode: 0o600 });
  }
  cli.tell(
    {
      event: "card",
      card_id: made.cardId,
      link: made.link,
      expires_at: made.expiresAt,
    },
    [
      "give this link to the person who is to let you into an album; whoever " +
      "has it can read your keys and your name:",
      made.link,
    ].join("\n"),
  );
  if (qr) cli.show(qrCodeOf(made.link));
}

/** Reads someone's card, and keeps it. */
export async function addCard(
  cli: CliContext,
  given: string | undefined,
  { believe, ...options }: LinkOptions & { readonly believe?: string },
): Promise<void> {
  await catchUp(cli);
  const card = given?.endsWith(CARD_FILE)
    ? await Deno.readFile(given)
    : await linkOf(cli, given, options);
  const believes = believe === undefined ? {} : { believes: believe };
  try {
    const read = await addContact(cli.library, card, believes);
    const { member, name, safetyNumber, comparedAt, asked } = read;
    if (!asked) {
      cli.warn(
        "the card's server did not answer, so it did not confirm the card",
      );
    }
    cli.tell(
      {
        event: "contact",
        member,
        name,
        safety_number: safetyNumber,
        compared_at: comparedAt,
      },
      `${printable(name ?? member)} is in your contacts. ` +
        (comparedAt === undefined
          ? "Compare this with them, by voice or in person, then run " +
            "`strongroom contact compare`:"
          : "You have compared this number:") +
        `\n  ${safetyNumber}` +
        (believe === undefined ? "" : "\n" +
          "whoever had the other identity is out of your albums. Run " +
          "`strongroom album invite` again for each of them, and send the " +
          "new link"),
    );
  } catch (error) {
    if (!(error instanceof IdentityChanged)) throw error;
    throw new OperatorFault(
      `the card has another identity than ${error.userId} had before. Ask ` +
        "them. If they have new keys, add --believe " + error.shown,
    );
  }
}

/** Lists contacts. */
export async function listCards(cli: CliContext): Promise<void> {
  await catchUp(cli);
  const contacts = await listContacts(cli.library);
  for (const { member, name, safetyNumber, comparedAt } of contacts) {
    cli.tell(
      {
        event: "contact",
        member,
        name,
        safety_number: safetyNumber,
        compared_at: comparedAt,
      },
      [
        printable(name ?? ""),
        printable(member),
        comparedAt === undefined
          ? "not compared: whoever carried the card could have changed it"
          : `compared ${comparedAt}`,
      ].join("  "),
    );
  }
  cli.tell(
    { event: "end", status: 0, count: contacts.length },
    counted(contacts.length, "contact"),
  );
}

/** Shows the number to compare; notes that it was the same. */
export async function compareContact(
  cli: CliContext,
  given: string,
  { same }: { readonly same?: true },
): Promise<void> {
  await catchUp(cli);
  const contact = await contactOf(cli, given);
  if (contact === undefined) throw noContact(given);
  const { member, name, safetyNumber } = contact;
  if (same) await cli.library.people.compared(member);
  cli.tell(
    {
      event: same ? "compared" : "compare",
      member,
      safety_number: safetyNumber,
    },
    same
      ? `you have compared your number with ${printable(name ?? member)}`
      : `compare this with ${printable(name ?? member)}, by voice or in ` +
        "person. If it is the same, run this command again with --same:\n  " +
        safetyNumber,
  );
}

/** Forgets a contact, or withdraws an own card. */
export async function removeContact(
  cli: CliContext,
  given: string,
): Promise<void> {
  await catchUp(cli);
  const contact = await contactOf(cli, given);
  if (contact !== undefined) {
    await forgetContact(cli.library, contact.member);
    cli.tell(
      { event: "contact_removed", member: contact.member },
      `${printable(contact.name ?? contact.member)} is no longer a contact`,
    );
    return;
  }
  const { cards } = await cli.library.abroad();
  const meant = cards.list().filter(([id]) =>
    given.length >= FEWEST && id.startsWith(given)
  );
  const [card] = meant;
  if (card === undefined || meant.length > 1) throw noContact(given);
  await withdrawCard(cli.library, card[0]);
  cli.tell(
    { event: "card_withdrawn", card_id: card[0] },
    "the card is withdrawn: its link ends",
  );
}

/** The contact of a name, or of the first characters of a member's name. */
export async function contactOf(
  { library }: CliContext,
  given: string,
): Promise<ContactAbroad | undefined> {
  const meant = (await listContacts(library)).filter(({ member, name }) =>
    name === given || member === given ||
    (given.length >= FEWEST && !given.includes("@") && member.startsWith(given))
  );
  if (meant.length > 1) {
    throw new OperatorFault(
      `several contacts are called ${quoted(given)}: give the first ` +
        "characters of the name that `strongroom contact ls` shows",
    );
  }
  return meant[0];
}

function noContact(given: string): OperatorFault {
  return new OperatorFault(
    `no contact is called ${quoted(given)}: see \`strongroom contact ls\``,
  );
}
