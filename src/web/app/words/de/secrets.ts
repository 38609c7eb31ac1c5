import type { Words } from "../en.ts";

export const secrets: Words["secrets"] = {
  passwordIs: "Das Passwort deines Kontos; es meldet dich an. Nicht deine " +
    "Wörter, dein Rettungssatz oder eine Browser-Phrase.",
  passwordFor: "Du meldest dich damit an. Für neue Geräte bekommst du gleich " +
    "noch 24 Wörter.",
  passwordAsked:
    "Damit sicher ist, dass du es bist und nicht dein Passwort noch " +
    "einmal nimmst.",
  wordsFor:
    "Sie sind nicht dein Passwort: Zum Anmelden brauchst du es weiterhin.",
  wordsAre: "Von deinem Blatt mit den 24 Wörtern. Nicht dein Passwort.",
  sentenceFor: "Er ist nicht dein Passwort, und ein gesperrter Browser fragt " +
    "nicht nach ihm.",
  sentenceIs: "Der Satz, den du dir für neue Geräte ausgedacht hast. " +
    "Großbuchstaben und der Punkt am Ende sind egal. Nicht dein Passwort und " +
    "keine Browser-Phrase.",
  browserFor: "Sie öffnet deine Fotos nur in diesem Browser. Sie ist nicht " +
    "dein Passwort und nicht dein Rettungssatz.",
  which: "Was öffnet was?",

  unknown: (words) =>
    `Nicht in der Wortliste: ${
      words.map(([place, word]) => `Wort ${place} („${word}“)`).join(", ")
    }.`,
  mistyped: "Eines der Wörter ist vertippt, oder zwei sind vertauscht.",
  tooFew: (count) =>
    count > 24
      ? `Du hast ${count} Wörter eingegeben: Das sind zu viele.`
      : count === 1
      ? "Du hast 1 Wort eingegeben: Es fehlen 23."
      : count === 23
      ? "Du hast 23 Wörter eingegeben: Es fehlt 1."
      : `Du hast ${count} Wörter eingegeben: Es fehlen ${24 - count}.`,
  sentenceWrong: "Falscher Rettungssatz.",
  notThisWord: (place) => `Das ist nicht Wort ${place}. Sieh noch einmal nach.`,

  takenSignIn: "Mit dieser Adresse anmelden",

  title: "Was öffnet was",
  why: "Jedes hat seine eigene Aufgabe. Nur Wörter und Rettungssatz haben " +
    "dieselbe.",
  lost: "Verloren?",
  change: "Ändern",
  password: "Passwort",
  passwordOpens: "Meldet dich an. Allein öffnet es auf einem neuen Gerät " +
    "keine Fotos.",
  passwordLost: "Die Person, die diesen Server betreibt, gibt dir einen Link " +
    "für ein neues. Deine Fotos bleiben.",
  words: "24 Wörter",
  wordsOpen: "Öffnen deine Fotos auf einem neuen Gerät, sobald du angemeldet " +
    "bist.",
  wordsLost: "Mach neue, solange deine Fotos irgendwo offen sind.",
  sentence: "Rettungssatz",
  sentenceOpens:
    "Tut dasselbe wie die 24 Wörter, aber du denkst ihn dir aus. " +
    "Freiwillig.",
  sentenceLost: "Ändere ihn, solange deine Fotos irgendwo offen sind.",
  browser: "Browser-Phrase",
  browserOpens:
    "Öffnet deine Fotos wieder in dem Browser, in dem sie gesetzt " +
    "wurde, und sonst nirgends.",
  browserLost: "Lass den Browser seinen Schlüssel vergessen, melde dich an " +
    "und öffne deine Fotos wie auf einem neuen Gerät.",
  all: "Verlierst du Wörter, Rettungssatz und alle Geräte, kann niemand " +
    "deine Fotos wieder öffnen.",
};
