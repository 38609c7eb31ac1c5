/**
 * The settings page `profile`: name and handle.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Button, Field } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { timeText, words } from "../../words.ts";
import { Refused, useDoing } from "../entry/card.tsx";
import { Group, Line, useLoaded, Waiting } from "./parts.tsx";

const HANDLE = /^[a-z][a-z0-9_]{2,31}$/;

/** The page `profile`. */
export function Profile() {
  const { common, settings } = words.value;
  const loaded = useLoaded(() => vault().settings.profile());
  const doing = useDoing();
  const [name, setName] = useState("");
  const [handle, setHandle] = useState("");
  const [fault, setFault] = useState<string>();
  const profile = loaded.value;
  useEffect(() => {
    setName(profile?.display_name ?? "");
    setHandle(profile?.handle ?? "");
  }, [profile]);
  if (profile === undefined) return <Waiting loaded={loaded} />;
  const save = () => {
    const wanted = handle.trim();
    const isGood = wanted === "" || HANDLE.test(wanted);
    setFault(isGood ? undefined : settings.handleWrong);
    if (!isGood) return;
    doing.run(async () => {
      const calls = vault().settings;
      if (name.trim() !== (profile.display_name ?? "")) {
        await calls.rename(name.trim());
      }
      if (wanted !== (profile.handle ?? "")) await calls.setHandle(wanted);
      loaded.again();
      toast(settings.saved);
    });
  };
  return (
    <>
      <Group>
        <form
          class="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <Field
            label={settings.name}
            hint={settings.nameHint}
            autocomplete="name"
            maxLength={128}
            value={name}
            onInput={setName}
          />
          <Field
            label={settings.handle}
            hint={settings.handleHint}
            autocomplete="off"
            maxLength={32}
            value={handle}
            fault={fault}
            onInput={setHandle}
          />
          <Refused doing={doing} />
          <div>
            <Button kind="main" type="submit" busy={doing.busy}>
              {common.save}
            </Button>
          </div>
        </form>
      </Group>
      <Group>
        <Line
          name={settings.address}
          value={profile.address ?? settings.addressNone}
        />
        <p class="quiet small">
          {settings.since(timeText(profile.created_at, { dateStyle: "long" }))}
        </p>
      </Group>
    </>
  );
}
