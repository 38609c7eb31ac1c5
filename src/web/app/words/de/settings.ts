import type { Words } from "../en.ts";

export const settings: Words["settings"] = {
  title: "Einstellungen",
  language: "Sprache",
  lockFirst: "Wähle erst einen Entsperrsatz",
  lockFirstWhy: "Er öffnet deine Fotos in diesem Browser wieder. Ohne ihn " +
    "könnte das auch jeder, der diesen Browser benutzt.",
  signOutWithout: "Ohne deine Wörter abmelden?",
  signOutWithoutWhy: "Deine 24 Wörter sind nicht aufgeschrieben, und kein " +
    "Satz ist hinterlegt. Sind deine Fotos auf keinem anderen Gerät offen, " +
    "gehen sie mit dem Abmelden verloren.",
};
