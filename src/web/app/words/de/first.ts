import type { Noun } from "../../../workers/photo_lists.ts";
import type { FirstWords } from "../en/first.ts";
import { NOUNS } from "./nouns.ts";

function count(n: number, one: string, many: string): string {
  return `${n.toLocaleString("de")} ${n === 1 ? one : many}`;
}

const things = (n: number, noun: Noun) => count(n, ...NOUNS[noun]);

export const first: FirstWords = {
  common: {
    cancel: "Abbrechen",
    close: "Schließen",
    done: "Fertig",
    back: "Zurück",
    next: "Weiter",
    save: "Speichern",
    copy: "Kopieren",
    copied: "Kopiert",
    retry: "Noch einmal",
    remove: "Entfernen",
    delete: "Löschen",
    more: "Mehr",
    loading: "Wird geladen …",
    show: "Zeigen",
    hide: "Verbergen",
  },
  frame: {
    skip: "Zum Inhalt springen",
    photos: "Fotos",
    albums: "Alben",
    sharing: "Teilen",
    kept: "Sicherheit",
    trash: "Papierkorb",
    settings: "Einstellungen",
    upload: "Fotos hinzufügen",
    search: "Fotos suchen",
    map: "Karte",
    account: "Konto",
    signOut: "Abmelden",
    lock: "Jetzt sperren",
    offline: "Du bist offline. Du siehst, was auf diesem Gerät ist.",
    insecure: "Nicht verschlüsselt",
    insecureWhy: ": Andere in diesem Netz können dein Passwort lesen und " +
      "diese App verändern.",
    insecureMore: "Was tun?",
    forgets: "Dieser Browser vergisst dich, wenn die Seite neu geladen wird.",
    forgetsAct: "Hier angemeldet bleiben",
    waitingFiles: (n) =>
      n === 1 ? "1 Datei wartet" : `${count(n, "Datei", "Dateien")} warten`,
    newAlbums: (n) => count(n, "Einladung", "Einladungen"),
  },
  photos: {
    title: "Fotos",
    empty: "Noch keine Fotos",
    firstComing: "Deine ersten Fotos sind unterwegs …",
    emptyHint: "Zieh Fotos irgendwo auf diese Seite, oder wähle welche aus.",
    emptyHintTouch: "Füge mit dem Knopf Fotos von diesem Gerät hinzu.",
    choose: "Fotos auswählen",
    fromPhone: "Fotos von deinem Handy holen",
    area: "Fotos aus dieser Gegend",
    noArea: "Keine Fotos aus dieser Gegend",
    favourites: "Favoriten",
    noFavourites: "Noch keine Favoriten",
    noFavouritesHint: "Wähle Fotos aus und drück auf das Herz.",
    hidden: "Ausgeblendet",
    noHidden: "Nichts ist ausgeblendet",
    noHiddenHint: "Fotos, die du ausblendest, erscheinen nur hier.",
    nothingFound: (q) => `Nichts gefunden für „${q}“`,
    found: (n, noun) => `${things(n, noun)} gefunden`,
    nothingFoundHint: "Versuch einen Monat, Dateinamen oder eine Kamera",
    favourite: "Zu den Favoriten",
    unfavourite: "Aus den Favoriten entfernen",
    hide: "Ausblenden",
    unhide: "Wieder zeigen",
    toTrash: "Löschen",
    trashed: (n, noun) => `${things(n, noun)} in den Papierkorb gelegt`,
    hiddenNow: (n, noun) =>
      `${things(n, noun)} ausgeblendet. Siehe Alben, „Ausgeblendet“`,
    shownAgain: (n, noun) => `${things(n, noun)} wieder zu sehen`,
    undo: "Rückgängig",
    videosWord: "filme",
  },
  grid: {
    undated: "Ohne Datum",
    select: "Auswählen",
    scrubber: "Zu einem Monat gehen. Du kannst ihn eintippen, etwa „juni 2019“",
    selectDay: (day) => `Alles von ${day} auswählen`,
    selected: (n) => `${n.toLocaleString("de")} ausgewählt`,
    isSelected: "ausgewählt",
    isFavourite: "Favorit",
    selection: "Ausgewählte Fotos",
    unselect: "Auswahl aufheben",
    damaged: "Beschädigt",
    kinds: {
      photo: "Foto",
      live: "Live-Foto",
      video: "Video",
      sound: "Ton",
      file: "Datei",
    },
    daysLeft: (days) => `noch ${count(days, "Tag", "Tage")}`,
  },
  faults: {
    offline: "Der Server ist nicht erreichbar. Prüfe deine Verbindung.",
    part: "Dieser Teil der App konnte nicht geladen werden. Prüfe deine " +
      "Verbindung und versuch es noch einmal, oder lade die Seite neu.",
    unexpected:
      "Diese App versteht die Antwort des Servers nicht. Versuch es " +
      "später noch einmal.",
    damaged: "Die Datei ist beschädigt oder wurde unterwegs verändert, darum " +
      "wird sie nicht gezeigt.",
    notShared: "Dieser Link zeigt es nicht mehr. Vielleicht wurde es gelöscht.",
    lying: "Der Nachweis des Servers ist ungültig, darum wurde nichts mehr " +
      "gesendet. Sag es der Person, die diesen Server betreibt.",
    tooMany: (seconds) =>
      `Zu viele Versuche. Warte ${count(seconds, "Sekunde", "Sekunden")}.`,
    waiting: (seconds) =>
      "Zu viele Versuche. Neuer Versuch in " +
      `${count(seconds, "Sekunde", "Sekunden")}.`,
    newVersion: "Es gibt eine neuere Version dieser App. Lade die Seite neu.",
    internal: "In dieser App ist etwas schiefgegangen.",
    codes: {
      "error.auth.credentials_invalid":
        "Falsche E-Mail-Adresse oder falsches Passwort.",
      "error.auth.user_already_exists":
        "Mit dieser Adresse gibt es schon ein Konto. Melde dich damit an.",
      "error.auth.registration_closed":
        "Mit dieser Adresse kannst du hier kein Konto anlegen, oder die " +
        "Einladung ist verbraucht oder abgelaufen.",
      "error.auth.account_locked":
        "Zu viele falsche Passwörter. Warte 15 Minuten und versuch es dann " +
        "noch einmal.",
      "error.auth.unavailable":
        "Der Server ist gerade überlastet. Versuch es gleich noch einmal.",
      "error.auth.challenge_expired":
        "Das hat zu lange gedauert. Melde dich noch einmal an.",
      "error.auth.second_factor_invalid": "Falscher Code.",
      "error.auth.second_factor_code_refused":
        "Falscher Code. Nimm den nächsten, den die App zeigt.",
      "error.auth.second_factor_attempts_exhausted":
        "Zu viele falsche Codes. Warte 15 Minuten und versuch es dann noch " +
        "einmal.",
      "error.auth.password_incorrect": "Falsches Passwort.",
      "error.auth.reauthentication_required":
        "Um zu bestätigen, dass du es bist, melde dich ab und wieder an. " +
        "Versuch es dann noch einmal.",
      "error.auth.session_token_invalid": "Du wurdest abgemeldet.",
      "error.auth.oidc_not_configured":
        "Die Anmeldung über eine Organisation ist hier nicht eingerichtet.",
      "error.auth.oidc_state_invalid":
        "Das hat zu lange gedauert. Melde dich noch einmal an.",
      "error.auth.oidc_token_invalid":
        "Deine Organisation hat die Anmeldung nicht bestätigt. Versuch es " +
        "noch einmal.",
      "error.auth.oidc_exchange_failed":
        "Deine Organisation hat die Anmeldung nicht bestätigt. Versuch es " +
        "noch einmal.",
      "error.auth.oidc_unavailable":
        "Die Anmeldung deiner Organisation ist nicht erreichbar. Versuch " +
        "es später noch einmal.",
      "error.auth.oidc_redirect_invalid":
        "Die Anmeldung über deine Organisation ist für eine andere Adresse " +
        "dieses Servers eingerichtet.",
      "error.auth.oidc_address_taken": "Mit dieser Adresse gibt es ein Konto " +
        "mit Passwort. Melde dich damit an.",
      "error.account.suspended":
        "Die Person, die diesen Server betreibt, hat dein Konto gesperrt. " +
        "Du kannst ansehen, herunterladen und löschen, aber nichts " +
        "hinzufügen.",
      "error.account.limit_reached":
        "Du hast die Höchstzahl erreicht. Entferne erst welche.",
      "error.enrollment.code_refused":
        "Dieser Code ist falsch, verbraucht oder abgelaufen. Lass das " +
        "andere Gerät einen neuen zeigen.",
      "error.enrollment.channel_not_found":
        "Das andere Gerät ist nicht mehr verbunden. Lass es einen neuen " +
        "Code zeigen.",
      "error.escrow.not_found":
        "Dieses Konto hat weder Wörter noch einen Rettungssatz.",
      "error.user.handle_taken": "Dieser Kurzname ist vergeben.",
      "error.storage.quota_exceeded": "Dein Speicherplatz ist voll.",
      "error.storage.full": "Der Speicherplatz des Servers ist voll.",
      "error.asset.retained":
        "Es lässt sich erst löschen, wenn seine Aufbewahrungsfrist um ist.",
      "error.asset.held":
        "Es lässt sich nicht löschen: Die Person, die diesen Server " +
        "betreibt, hält es fest.",
    },
    pairing: "Die Geräte konnten sich nicht verbinden. Lass das " +
      "andere einen neuen Code zeigen.",
    differ: "Die Wörter sind verschieden, darum wurde dein Schlüssel nicht " +
      "gesendet. Versuch es in einem Netz noch einmal, dem du traust.",
    otherAccount: "Das ist ein anderes Konto als das, in dem du angemeldet " +
      "bist.",
    escrow: "Das sind nicht die Wörter dieses Kontos.",
    answeredElsewhere:
      "Schon angenommen oder abgelehnt, auf einem anderen deiner Geräte",
    phraseShort: "Bitte mindestens 12 Zeichen.",
    phraseIsPassword: "Das ist dein Passwort. Passwörter gehen beim Anmelden " +
      "an den Server; was deine Fotos öffnet, nie. Nimm etwas anderes.",
    cancelled: "Es wurde nichts geändert.",
  },
};
