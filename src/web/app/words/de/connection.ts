import type { Words } from "../en.ts";

export const connection: Words["connection"] = {
  title: "Diese Verbindung ist nicht verschlüsselt",
  intro: "Die Adresse in deinem Browser beginnt mit http://. Andere Geräte " +
    "in diesem Netz, und wer das Netz betreibt, können lesen und " +
    "verändern, was dein Browser sendet und empfängt.",
  canTitle: "Was jemand in diesem Netz kann",
  can: [
    "Dein Passwort beim Anmelden mitlesen und damit dein Konto benutzen: " +
    "sehen, wie viel du wann ablegst, und es löschen.",
    "Diese App beim Laden verändern, sodass sie deinen Schlüssel " +
    "verrät und damit deine Fotos.",
  ],
  cannotTitle: "Was niemand kann",
  cannot: [
    "Deine Fotos allein durch Mithören ansehen. Sie werden verschlüsselt, " +
    "bevor sie dieses Gerät verlassen.",
    "Deine Fotos mit dem Passwort allein öffnen. Dazu braucht es auch " +
    "deinen Schlüssel.",
  ],
  onlyHere: "Diese Adresse öffnet sich nur auf diesem Computer.",
  onlyHereMore: "Wie andere ihn erreichen",
  otherOrigin: (origin) =>
    `Der Server sagt, dass andere ihn unter ${origin} erreichen.`,
  otherOriginMore: "Diese Adresse in Links verwenden",
  reachTitle: "Diese Adresse öffnet sich nur auf diesem Computer",
  reachIntro:
    "Um strongroom auf anderen Geräten zu öffnen und anderen Links zu " +
    "geben, brauchst du eine Adresse, die sie erreichen.",
  reachLan:
    "Für Geräte in deinem eigenen Netz lass den Server dort lauschen, " +
    "und nenn ihm die Adresse dieses Computers im Netz:",
  reachNext: "Bei so einer http-Adresse könnten andere im Netz mitlesen. Mit " +
    "einem Namen und einem Zertifikat kann das niemand.",
  doTitle: "Was die Person tun kann, die diesen Server betreibt",
  doProxy: "Einen Proxy mit Zertifikat davorstellen. Mit Caddy genügen diese " +
    "Zeilen. Ist der Name öffentlich, holt Caddy das Zertifikat von " +
    "selbst:",
  doBase: "Dann dem Server die Adresse nennen, die alle benutzen:",
  doFiles: "Oder strongroom spricht selbst https, mit einem Zertifikat in " +
    "zwei Dateien:",
  more: "Der Rest steht in der Dokumentation auf der Seite „Listening, with " +
    "TLS and without“. Danach öffnen alle die neue Adresse, die mit https:// " +
    "beginnt, und ändern einmal ihr Passwort.",
};
