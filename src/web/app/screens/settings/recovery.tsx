/**
 * The settings page `recovery`: the ways to open the photos when every device
 * is lost.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { go, href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Refused, useDoing } from "../entry/card.tsx";
import { PhraseDialog } from "../entry/phrase_dialog.tsx";
import { Group, Waiting } from "./parts.tsx";
import { Which } from "./secrets.tsx";

/** The page `recovery`. */
export function Recovery() {
  const { entry, secrets, settings } = messages.value;
  const loaded = useLoaded(() => vault().session.escrowLabels(), []);
  const doing = useDoing();
  const labels = loaded.value;
  if (labels === undefined) return <Waiting loaded={loaded} />;
  const hasWords = labels.includes("words");
  const hasPhrase = labels.includes("phrase");
  const drop = () =>
    doing.run(async () => {
      await vault().settings.dropPhrase();
      toast(settings.phraseDropped);
      loaded.again();
    });
  return (
    <>
      <Group title={settings.words}>
        {hasWords
          ? <p>{settings.wordsOn}</p>
          : <Notice kind="warn">{settings.wordsOff}</Notice>}
        {hasWords && <p class="quiet small">{settings.wordsAnewWhy}</p>}
        <div>
          <Button
            kind={hasWords ? "plain" : "main"}
            onClick={() => go(href("words"))}
          >
            {hasWords ? settings.wordsAnew : entry.remindAct}
          </Button>
        </div>
      </Group>
      <Group
        title={settings.phrase}
        why={`${entry.phraseWhy} ${secrets.sentenceFor}`}
      >
        <p>{hasPhrase ? settings.phraseOn : settings.phraseOff}</p>
        <Refused doing={doing} />
        <div class="actions">
          <Button
            onClick={() =>
              overlay((close) => (
                <NewPhrase
                  close={() => {
                    close();
                    loaded.again();
                  }}
                />
              ))}
          >
            {hasPhrase ? settings.phraseChange : settings.phraseSet}
          </Button>
          {hasPhrase && hasWords && (
            <Button kind="danger" busy={doing.busy} onClick={drop}>
              {settings.phraseDrop}
            </Button>
          )}
        </div>
      </Group>
      <Which />
    </>
  );
}

function NewPhrase({ close }: { readonly close: () => void }) {
  const { entry, secrets, settings } = messages.value;
  return (
    <PhraseDialog
      title={settings.phrase}
      label={entry.phrase}
      hint={entry.phraseHint}
      done={entry.withPhrase}
      close={close}
      keep={async (phrase, password) => {
        await vault().settings.setPhrase(phrase, password);
        toast(settings.phraseKept);
        close();
      }}
    >
      <p class="quiet">{entry.phraseWhy} {secrets.sentenceFor}</p>
    </PhraseDialog>
  );
}
