import type { Words } from "../en.ts";

export const connection: Words["connection"] = {
  title: "Diese Verbindung ist nicht verschlüsselt",
  intro: "Die Adresse in deinem Browser beginnt mit http://. Was er sendet " +
    "und bekommt, lässt sich unterwegs lesen und verändern: von anderen " +
    "Geräten in diesem Netz und von dem, der es betreibt.",
  canTitle: "Was jemand in diesem Netz kann",
  can: [
    "Dein Passwort beim Anmelden mitlesen und damit dein Konto benutzen: " +
    "sehen, wie viel du wann ablegst, und es löschen.",
    "Dieses Programm beim Laden verändern, sodass es deinen Schlüssel " +
    "verrät und damit deine Fotos.",
  ],
  cannotTitle: "Was niemand kann",
  cannot: [
    "Deine Fotos allein durch Mithören ansehen. Sie werden verschlüsselt, " +
    "bevor sie dieses Gerät verlassen.",
    "Deine Fotos mit dem Passwort allein öffnen. Dazu braucht es deinen " +
    "Schlüssel.",
  ],
  onlyHere: "Diese Adresse öffnet sich nur auf diesem Computer.",
  onlyHereMore: "Wie andere ihn erreichen",
  otherOrigin: (origin) =>
    `Der Server sagt, dass andere ihn unter ${origin} erreichen.`,
  otherOriginMore: "Diese Adresse in Links verwenden",
  reachTitle: "Diese Adresse öffnet sich nur auf diesem Computer",
  reachIntro: "Damit andere Geräte hineinkommen und Links bei anderen " +
    "funktionieren, braucht der Server eine Adresse, die sie erreichen.",
  reachLan: "Für die Geräte in deinem eigenen Netz lass ihn dort lauschen, " +
    "und nenn ihm die Adresse dieses Computers im Netz:",
  reachNext: "Andere in demselben Netz könnten auf so einer http-Adresse " +
    "mitlesen. Mit einem Namen und einem Zertifikat kann das niemand.",
  doTitle: "Was der Betreiber dieses Servers tun kann",
  doProxy: "Einen Proxy mit Zertifikat davorstellen. Mit Caddy genügen diese " +
    "Zeilen; ist der Name öffentlich, holt es sich das Zertifikat selbst:",
  doBase: "Dann dem Server die Adresse nennen, die alle benutzen:",
  doFiles: "Oder der Server macht es selbst, mit einem Zertifikat in zwei " +
    "Dateien:",
  more: "Der Rest steht in der Dokumentation auf der Seite „Listening, with " +
    "TLS and without“. Danach öffnen alle die neue Adresse, die mit https:// " +
    "beginnt, und ändern einmal ihr Passwort.",
};
