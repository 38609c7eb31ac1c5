import type { Words } from "../en.ts";

function files(n: number): string {
  return `${n.toLocaleString("de")} ${n === 1 ? "Datei" : "Dateien"}`;
}

export const phone: Words["phone"] = {
  came: "Von deinem Handy",
  waits: (n, since) =>
    `${n === 1 ? "1 Datei wartet" : `${files(n)} warten`} darauf, ` +
    `hinzugefügt zu werden, die älteste seit ${since}. strongroom fügt sie ` +
    "hinzu, solange es auf einem deiner Geräte offen ist.",
  waitsNone: "Nichts wartet.",
  last: (when) => `Dieser Browser hat zuletzt am ${when} etwas hinzugefügt.`,
  lastNone: "Dieser Browser hat noch nichts von deinem Handy hinzugefügt.",
  inAll: (n) => `insgesamt ${files(n)} gesendet`,
  ends: (day) => `nimmt Fotos bis ${day}`,
  ended: (day) => `beendet am ${day}`,
  renew: "Ein Link lebt höchstens 90 Tage. Mach unten rechtzeitig einen " +
    "neuen, und gib ihn dem Computer, der empfängt:",

  truth: "Was von selbst kommt",
  truthWhy: "Kein Browser lässt eine Website nach neuen Fotos sehen, solange " +
    "sie geschlossen ist. Von einem Handy kommt deshalb nichts von selbst, " +
    "außer eine App auf dem Handy sendet es.",
  systems: {
    ios: "iPhone und iPad",
    android: "Android",
    desk: "Computer",
  },
  facts: {
    ios: [
      "Von selbst: nichts ohne eine andere App. Apps, die neue Fotos an einen " +
      "WebDAV-Server senden, können es, siehe unten.",
      "Von Hand: Drück auf + und wähle Fotos aus. Ein Live-Foto kommt so ohne " +
      "sein Video.",
      "Safari zeigt keine Websites, wenn du in Fotos auf Teilen drückst.",
      "Auf dem Home-Bildschirm: Drück in Safari auf Teilen, dann auf Zum " +
      "Home-Bildschirm. Sonst kann Safari deinen Schlüssel löschen, wenn du " +
      "eine Woche lang nicht vorbeikommst.",
    ],
    android: [
      "Von selbst: nichts ohne eine andere App. Apps, die neue Fotos an einen " +
      "WebDAV-Server senden, können es, siehe unten.",
      "Von Hand: Drück auf + und wähle Fotos aus.",
      "Ist strongroom installiert, drück in einer anderen App auf Teilen und " +
      "wähle strongroom.",
      "Zum Installieren öffne das Menü des Browsers und wähle App " +
      "installieren oder Zum Startbildschirm hinzufügen.",
    ],
    desk: [
      "Von Hand: Zieh Fotos und Ordner irgendwo auf diese Seite.",
      "Von selbst: Die Kommandozeile sendet, was in einem Ordner neu ist.",
    ],
  },
  watch: "strongroom push --watch ORDNER",
  install: "strongroom installieren",
  installWhy: "Dann hat es ein eigenes Symbol und ein eigenes Fenster.",
  installAsk: "strongroom als App installieren?",
  installed: "strongroom ist hier installiert.",

  set: "Fotos von selbst kommen lassen",
  setWhy: "strongroom receive nimmt Fotos von Apps über WebDAV an. Es " +
    "verschlüsselt jedes beim Ankommen für dich und kann keines öffnen.",
  needs: "Du brauchst einen Computer, der an ist, wenn das Handy sendet, mit " +
    "strongroom und https: deinen Server oder einen kleinen zu Hause.",
  makeFirst: "1. Mach einen Link für dein Handy",
  makeWhy:
    "Was über diesen Link gesendet wird, kommt ohne Nachfrage in deine " +
    "Bibliothek. Behalte ihn für dich.",
  make: "Link machen",
  note: "Mein Handy",
  again: "Noch einen Link machen",
  runFirst: "2. Starte das auf dem Computer",
  runWhy: "Mit einem Zertifikat für seinen Namen:",
  addWhy: "Füg dann in einem anderen Fenster dein Handy hinzu:",
  enterFirst: "3. Gib in der App ein, was dort steht",
  enterWhy: "Dort stehen eine Adresse, ein Name und ein Passwort, mit --qr " +
    "auch ein Code zum Scannen. FolderSync und Round Sync (Android) und " +
    "PhotoSync (iPhone, Android) senden über WebDAV. Auf einem Handy haben " +
    "wir sie nicht ausprobiert; rclone, curl und davfs2 gehen.",
  afterFirst: "4. Öffne strongroom ab und zu",
  afterWhy: "Was gesendet wurde, wartet 30 Tage, bis eines deiner Geräte es " +
    "hinzufügt: strongroom in einem Browser, oder strongroom sync nach der Uhr.",
  keeps: "strongroom löscht auf deinem Handy nichts. Lass es auch in der App " +
    "aus: Dass eine Datei empfangen wurde, beweist nicht, dass sie in deiner " +
    "Bibliothek ist.",
};
