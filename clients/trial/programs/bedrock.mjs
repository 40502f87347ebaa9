import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';

const bedrock = new BedrockRuntimeClient();

const modelId = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
const inputSchema = { json: { type: 'object', properties: { query: { type: 'string' } } } };
const toolConfig = {
  tools: [{ toolSpec: { name: 'search', description: 'Looks something up.', inputSchema } }],
};
const messages = [{ role: 'user', content: [{ text: 'At what temperature does water boil?' }] }];
for (;;) {
  const { output } = await bedrock.send(new ConverseCommand({ modelId, messages, toolConfig }));
  const calls = output.message.content.filter(({ toolUse }) => toolUse !== undefined);
  if (calls.length === 0) {
    console.log(output.message.content[0].text);
    break;
  }
  messages.push(output.message);
  const content = calls.map(({ toolUse: { toolUseId } }) => ({
    toolResult: { toolUseId, content: [{ text: 'Nothing was found.' }] },
  }));
  messages.push({ role: 'user', content });
}
