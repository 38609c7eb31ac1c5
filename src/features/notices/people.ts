/**
 * Mail to people (notices.md#mail-to-people). The server keeps no person's
 * language, and learns none: a mail says everything in both.
 *
 * @module
 */

/** What people get mail about. */
export type Letter =
  | {
    readonly kind: "invitation";
    readonly link: string;
    /** Until when the link may be used (RFC 3339). */
    readonly until: string;
  }
  | {
    readonly kind: "signed_in" | "password_set";
    /** When it happened (RFC 3339). */
    readonly at: string;
  };

interface Text {
  readonly subject: string;
  readonly lines: readonly string[];
}

/** A letter in words; `host` is the server's, as people know it. */
export function letterWords(
  letter: Letter,
  host: string,
): { readonly subject: string; readonly text: string } {
  const english = inEnglish(letter, host);
  const german = inGerman(letter, host);
  return {
    subject: `${english.subject} / ${german.subject}`,
    text: [...english.lines, "", "--", "", ...german.lines, ""].join("\n"),
  };
}

function readable(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

function inEnglish(letter: Letter, host: string): Text {
  switch (letter.kind) {
    case "invitation":
      return {
        subject: `You are invited to ${host}`,
        lines: [
          `You are invited to keep your photos on ${host}.`,
          "Open this link to make your account:",
          "",
          letter.link,
          "",
          `It works once, until ${readable(letter.until)}.`,
          "If you expected no invitation, ignore this mail.",
        ],
      };
    case "signed_in":
      return {
        subject: `A new device signed in on ${host}`,
        lines: [
          `A new device signed in to your account on ${host}, on ` +
          `${readable(letter.at)}.`,
          "If it was you, there is nothing to do.",
          "If not: change your password, and sign the device out under " +
          "Settings, Devices.",
        ],
      };
    case "password_set":
      return {
        subject: `Your password on ${host} was replaced`,
        lines: [
          `The person who runs ${host} replaced your password on ` +
          `${readable(letter.at)}.`,
          "If you did not ask for that, ask them.",
        ],
      };
  }
}

function inGerman(letter: Letter, host: string): Text {
  switch (letter.kind) {
    case "invitation":
      return {
        subject: `Einladung zu ${host}`,
        lines: [
          `Du bist eingeladen, deine Fotos auf ${host} aufzubewahren.`,
          "Öffne diesen Link, um dein Konto anzulegen:",
          "",
          letter.link,
          "",
          `Er gilt einmal, bis ${readable(letter.until)}.`,
          "Wenn du keine Einladung erwartest, beachte diese E-Mail nicht.",
        ],
      };
    case "signed_in":
      return {
        subject: `Neues Gerät auf ${host} angemeldet`,
        lines: [
          `Ein neues Gerät hat sich bei deinem Konto auf ${host} angemeldet, ` +
          `am ${readable(letter.at)}.`,
          "Wenn du das warst, ist nichts zu tun.",
          "Wenn nicht: Ändere dein Passwort und melde das Gerät unter " +
          "Einstellungen, Geräte ab.",
        ],
      };
    case "password_set":
      return {
        subject: `Dein Passwort auf ${host} wurde ersetzt`,
        lines: [
          `Die Person, die ${host} betreibt, hat dein Passwort am ` +
          `${readable(letter.at)} ersetzt.`,
          "Wenn du nicht darum gebeten hast, frag nach.",
        ],
      };
  }
}
