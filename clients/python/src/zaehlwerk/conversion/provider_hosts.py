"""
The providers that the price list knows: at which addresses they answer, and what else they are called. The same as
`clients/typescript/src/provider-hosts.ts`.
"""

from __future__ import annotations

PROVIDERS: tuple[tuple[str, str, str | None], ...] = (
    ("anthropic", r"https://api\.anthropic\.com", r"anthropic"),
    ("arcee", r"https://api\.arcee\.ai(?:/|$)", r"arcee"),
    ("avian", r"https://api\.avian\.io", None),
    ("aws", r"https://bedrock-runtime\.[a-z0-9-]+\.amazonaws\.com(/|$)", r"bedrock|amazon"),
    (
        "azure",
        r"(https?://)?([^.]*\.)?(?:openai\.azure\.com|azure-api\.net|cognitiveservices\.azure\.com|services\.ai\.azure\.com)",
        None,
    ),
    ("baseten", r"https://inference\.baseten\.co(?:/|$)", r"baseten"),
    ("cerebras", r"https://api\.cerebras\.ai", r"cerebras"),
    ("cloudflare", r"https://api\.cloudflare\.com/client/v4/accounts/[^/]+/ai(?:/|$)", r"cloudflare"),
    ("cohere", r"https://api\.cohere\.(?:ai|com)", r"cohere"),
    ("cursor", r"https://api\.cursor\.com", None),
    ("deepseek", r"https://api\.deepseek\.com", None),
    ("doubleword", r"https://api\.doubleword\.ai", None),
    ("fireworks", r"https://api\.fireworks\.ai", None),
    ("github-copilot", r"https://api\.githubcopilot\.com", r"copilot"),
    ("google", r"https://(.*\.)?googleapis\.com", r"google|vertex|gemini"),
    ("groq", r"https://api\.groq\.com", None),
    (
        "huggingface_cerebras",
        r"https://router\.huggingface\.co/cerebras",
        r"^(?=.*(?:huggingface))(?=.*(?:cerebras))",
    ),
    (
        "huggingface_fireworks-ai",
        r"https://router\.huggingface\.co/fireworks-ai",
        r"^(?=.*(?:huggingface))(?=.*(?:fireworks-ai))",
    ),
    ("huggingface_groq", r"https://router\.huggingface\.co/groq", r"^(?=.*(?:huggingface))(?=.*(?:groq))"),
    (
        "huggingface_hyperbolic",
        r"https://router\.huggingface\.co/hyperbolic",
        r"^(?=.*(?:huggingface))(?=.*(?:hyperbolic))",
    ),
    (
        "huggingface_nebius",
        r"https://router\.huggingface\.co/nebius",
        r"^(?=.*(?:huggingface))(?=.*(?:nebius))",
    ),
    (
        "huggingface_novita",
        r"https://router\.huggingface\.co/novita",
        r"^(?=.*(?:huggingface))(?=.*(?:novita))",
    ),
    (
        "huggingface_nscale",
        r"https://router\.huggingface\.co/nscale",
        r"^(?=.*(?:huggingface))(?=.*(?:nscale))",
    ),
    (
        "huggingface_ovhcloud",
        r"https://router\.huggingface\.co/ovhcloud",
        r"^(?=.*(?:huggingface))(?=.*(?:ovhcloud))",
    ),
    (
        "huggingface_publicai",
        r"https://router\.huggingface\.co/publicai",
        r"^(?=.*(?:huggingface))(?=.*(?:publicai))",
    ),
    (
        "huggingface_sambanova",
        r"https://router\.huggingface\.co/sambanova",
        r"^(?=.*(?:huggingface))(?=.*(?:sambanova))",
    ),
    (
        "huggingface_together",
        r"https://router\.huggingface\.co/together",
        r"^(?=.*(?:huggingface))(?=.*(?:together))",
    ),
    ("minimax", r"https://api\.minimax(i)?\.(?:com|io)", None),
    ("mistral", r"https://api\.mistral\.ai", r"^mistral"),
    ("modal", r"https://[^/]+\.modal\.(?:run|direct)(?:/|$)", r"modal"),
    ("moonshotai", r"https://api\.moonshot\.", r"moonshot"),
    ("novita", r"https://api\.novita\.ai", None),
    ("openai", r"https://api\.openai\.com", r"openai"),
    ("openrouter", r"https://(api\.)?openrouter\.ai", None),
    ("ovhcloud", r"https://oai\.endpoints\.kepler\.ai\.cloud\.ovh\.net", None),
    ("perplexity", r"https://api\.perplexity\.ai", None),
    ("quicksilverpro", r"https://api\.quicksilverpro\.io", None),
    ("together", r"https://api\.together\.xyz", r"^together-ai$|^together_ai$"),
    ("typesafe", r"https://api\.typesafe\.ai", r"typesafe"),
    ("voyageai", r"https://api\.voyageai\.com", r"voyage"),
    ("x-ai", r"https://api\.x\.ai", r"^xai$"),
    ("zai", r"https://api\.z\.ai", None),
    ("zhipuai", r"https://open\.bigmodel\.cn", None),
)
"""Id, beginning of the address, names."""
